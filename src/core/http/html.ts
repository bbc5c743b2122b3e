/** HTML that escapes every value unless it is HTML already. */

export interface Html {
  readonly html: string;
}

type Value = string | number | Html | readonly Html[] | null;

export const trusted = (text: string): Html => ({ html: text });

export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  const text = parts.map((part, index) => part + (index < values.length ? render(values[index] as Value) : ''));
  return { html: text.join('') };
}

function render(value: Value): string {
  if (value === null) return '';
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  return Array.isArray(value) ? value.map((html: Html) => html.html).join('') : (value as Html).html;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (match) => ENTITIES[match] as string);
