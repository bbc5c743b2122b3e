import { CapstanError, type Connection } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import type { FormVisit } from '../server/own-page.ts';
import type { Site } from '../server/page.ts';
import { readCookie } from '../server/session.ts';
import { connectionPath } from './connection-list.ts';
import { type ConnectionTool, isHeld } from './connection-tools.ts';
import type { Endpoint } from './endpoint-card.ts';
import { count, cut } from './words.ts';

/** Which tools of a new connection an endpoint of the reader offers, chosen by what their server says that they do. */

interface SeenTool {
  annotations?: { readOnlyHint?: boolean } | undefined;
}

const KINDS = [
  { kind: 'read', title: 'Read-only tools', about: 'that only look', between: ' ', is_preset: true },
  {
    kind: 'write',
    title: 'Tools that change things',
    about: 'ask me before each call',
    between: ', ',
    is_preset: false,
  },
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
${KINDS.map(({ kind, title, about, between, is_preset }) => {
  const known = tools === null ? null : tools.filter((tool) => kindOf(tool) === kind).length;
  return html`<label class="check"><input type="checkbox" name="tools" value="${kind}"${(chosen === null ? is_preset : chosen.includes(kind)) && html` checked`}><span><strong>${title}</strong> <span class="label">${known === null ? about : `${count(known)} ${known === 1 ? 'tool' : 'tools'}${between}${about}`}</span></span></label>`;
})}
<p class="fine">As declared by the server; not verified. You can choose individual tools later.</p>`;
}

/** What was chosen in the form: an endpoint and kinds of tools. */
interface Offer {
  endpoint: string;
  kinds: readonly string[];
}

/** Null if nothing is to be offered. */
export function offerIn(form: URLSearchParams): Offer | null {
  const [endpoint, kinds] = [form.get('endpoint') ?? '', form.getAll('tools')];
  return endpoint === '' || kinds.length === 0 ? null : { endpoint, kinds };
}

/**
 * Adds a connection to an endpoint, with the kinds of tools that were chosen. False if that failed: the connection exists in
 * any case.
 */
export async function offerTools(
  { capstan }: Pick<FormVisit, 'capstan'>,
  { id, status }: Connection,
  offer: Offer | null,
): Promise<boolean> {
  if (offer === null || status !== 'ready') return true;
  const { endpoint, kinds } = offer;
  try {
    const { items } = await capstan.tools.list({ id });
    const names = items.filter((tool) => !isHeld(tool) && kinds.includes(kindOf(tool))).map(({ name }) => name);
    if (names.length === 0) return true;
    const tools = KINDS.every(({ kind }) => kinds.includes(kind)) ? null : names;
    const ask_except = kinds.includes('write') ? readOnly(items) : null;
    await capstan.endpoints.offer({ id: endpoint, connection_id: id, body: { tools, ask_except } });
    return true;
  } catch (error) {
    if (!(error instanceof CapstanError) || error.status === 0) throw error;
    return false;
  }
}

/** Names of the tools that are called without asking. */
export const readOnly = (tools: readonly ConnectionTool[]): string[] =>
  tools.filter((tool) => !isHeld(tool) && kindOf(tool) === 'read').map(({ name }) => name);

/** A choice that waits for the sign-in at the server. A cookie has it, because no link may change what an endpoint offers. */
const OFFER_COOKIE = 'capstan-offer';
const OFFER_LIFE_S = 3_600;

const cookieFor = ({ id }: Pick<Connection, 'id'>, value: string, { base_url }: Pick<Site, 'base_url'>): string =>
  `${OFFER_COOKIE}=${value}; Path=${connectionPath({ id })}; Max-Age=${value === '' ? 0 : OFFER_LIFE_S};${base_url.startsWith('https:') ? ' Secure;' : ''} HttpOnly; SameSite=Lax`;

export function keepOffer(connection: Pick<Connection, 'id'>, offer: Offer | null, site: Pick<Site, 'base_url'>) {
  if (offer === null) return [];
  const value = [connection.id, offer.endpoint, ...offer.kinds.filter(isKind)].map(encodeURIComponent).join('~');
  return [cookieFor(connection, value, site)];
}

/** What was kept for this connection in this browser, and the cookie that ends it. */
export function takeOffer({ headers, site }: Pick<FormVisit, 'headers' | 'site'>, connection: Pick<Connection, 'id'>) {
  const [of, endpoint = '', ...kinds] = (readCookie(headers, OFFER_COOKIE) ?? '').split('~');
  if (of !== connection.id) return { offer: null, cookies: [] };
  return { offer: { endpoint, kinds: kinds.filter(isKind) }, cookies: [cookieFor(connection, '', site)] };
}

const isKind = (name: string): boolean => KINDS.some(({ kind }) => kind === name);
