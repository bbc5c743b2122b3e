import { CapstanError, type Connection } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import type { FormVisit } from '../server/own-page.ts';
import { isHeld } from './connection-tools.ts';
import type { Endpoint } from './endpoint-card.ts';
import { count, cut } from './words.ts';

/** Which tools of a new connection an endpoint of the reader offers, chosen by what their server says that they do. */

interface SeenTool {
  annotations?: { readOnlyHint?: boolean } | undefined;
}

const KINDS = [
  { kind: 'read', title: 'Read-only tools', about: 'that only look', is_preset: true },
  { kind: 'write', title: 'Tools that change things', about: 'that may change something', is_preset: false },
] as const;

const kindOf = ({ annotations }: SeenTool): string => (annotations?.readOnlyHint === true ? 'read' : 'write');

/** `tools`: those of the listing; null if they are unknown. `form`: what was sent before. */
export function toolChoice(
  endpoints: readonly Endpoint[],
  tools: readonly SeenTool[] | null,
  form: URLSearchParams | null,
): Html {
  const [first] = endpoints;
  if (first === undefined)
    return html`<p class="fine">You can call them here. To use them in a client, create an <a href="/dashboard/endpoints">endpoint</a> afterwards.</p>`;
  const chosen = form?.getAll('tools') ?? null;
  const at = form?.get('endpoint') ?? first.id;
  return html`${
    endpoints.length === 1
      ? html`<input type="hidden" name="endpoint" value="${first.id}"><p class="fine">Offered to clients at your endpoint <bdi>${cut(first.name, 80)}</bdi>.</p>`
      : html`<label class="stacked">Endpoint<select name="endpoint">${endpoints.map(({ id, name }) => html`<option value="${id}"${id === at && html` selected`}>${cut(name, 80)}</option>`)}</select></label>`
  }
${KINDS.map(({ kind, title, about, is_preset }) => {
  const known = tools === null ? null : tools.filter((tool) => kindOf(tool) === kind).length;
  return html`<label class="check"><input type="checkbox" name="tools" value="${kind}"${(chosen === null ? is_preset : chosen.includes(kind)) && html` checked`}><span><strong>${title}</strong> <span class="label">${known === null ? about : `${count(known)} ${known === 1 ? 'tool' : 'tools'} ${about}`}</span></span></label>`;
})}
<p class="fine">As the server declares them; nobody checks it. You can choose single tools later.</p>`;
}

/**
 * Adds a connection to the endpoint that the form names, with the kinds of tools that it names. False if that failed: the
 * connection exists in any case.
 */
export async function offerTools({ capstan, form }: FormVisit, { id, status }: Connection): Promise<boolean> {
  const kinds = form.getAll('tools');
  const endpoint = form.get('endpoint') ?? '';
  if (endpoint === '' || kinds.length === 0 || status !== 'ready') return true;
  try {
    const [{ items }, { connections }] = await Promise.all([
      capstan.tools.list({ id }),
      capstan.endpoints.get({ id: endpoint }),
    ]);
    const names = items.filter((tool) => !isHeld(tool) && kinds.includes(kindOf(tool))).map(({ name }) => name);
    if (names.length === 0) return true;
    const before = connections.filter((each) => each.id !== id).map((each) => ({ id: each.id, tools: each.tools }));
    const tools = KINDS.every(({ kind }) => kinds.includes(kind)) ? null : names;
    await capstan.endpoints.update({ id: endpoint, body: { connections: [...before, { id, tools }] } });
    return true;
  } catch (error) {
    if (!(error instanceof CapstanError) || error.status === 0) throw error;
    return false;
  }
}
