/** HTML templates that escape every value unless it is already HTML. */

export interface Html {
  readonly html: string;
}

/** `null` and `false` render as nothing, so that templates can use `condition && html…`. */
export type Value = string | number | Html | readonly Value[] | null | undefined | false;

export const raw = (text: string): Html => ({ html: text });

export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  let text = parts[0] as string;
  for (let at = 0; at < values.length; at++) text += render(values[at]) + parts[at + 1];
  return { html: text };
}

function render(value: Value): string {
  if (value === null || value === undefined || value === false) return '';
  if (typeof value === 'string') return escapeHtml(value);
  if (typeof value === 'number') return String(value);
  return 'html' in value ? value.html : value.map(render).join('');
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (match) => ENTITIES[match] as string);
