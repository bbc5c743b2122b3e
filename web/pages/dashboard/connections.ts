import { randomUUID } from 'node:crypto';
import { type Capstan, CapstanError, type Connection, type Input } from '../../../sdk/src/index.ts';
import { isProvider } from '../../parts/capability-ref.ts';
import { asksSecrets, connectForm, type Listed } from '../../parts/connect-form.ts';
import { connectionPath, repairButton } from '../../parts/connection-list.ts';
import { board, neighbours, offsetIn } from '../../parts/dashboard.ts';
import { endpointCard } from '../../parts/endpoint-card.ts';
import { icon } from '../../parts/icon.ts';
import { unfit } from '../../parts/json-input.ts';
import { notice } from '../../parts/notice.ts';
import { keepOffer, offerIn, offerTools } from '../../parts/offer-tools.ts';
import { hostsIn } from '../../parts/package-hosts.ts';
import { recentCalls } from '../../parts/recent-calls.ts';
import type { Said } from '../../parts/said.ts';
import { serverValues } from '../../parts/server-inputs.ts';
import { serverRows, wantsSomething } from '../../parts/server-rows.ts';
import { toServer } from '../../parts/server-sign-in.ts';
import { hasWallet } from '../../parts/signed-form.ts';
import { cut } from '../../parts/words.ts';
import { type Html, html } from '../../server/html.ts';
import { type FormVisit, type OwnVisit, ownPage } from '../../server/own-page.ts';
import type { Away, View } from '../../server/page.ts';

/** `/dashboard/connections`: all connections, and a form for a new one to an address or a listing. `?listing=provider/id` fills it in. */

const PAGE_SIZE = 50;
const PATH = '/dashboard/connections';

export const connections = ownPage({
  show: async (visit, said, form) => {
    const { capstan, query, site } = visit;
    const place = form?.get('place') ?? query.get('listing') ?? '';
    const listed = await listedServer(capstan, place, Number(form?.get('choice') ?? query.get('choice') ?? 0));
    if (listed !== null) return connectPage(visit, withDeclared(listed, said), said, form);
    const [list, { items: endpoints }, { items: receipts }] = await Promise.all([
      capstan.connections.list({ limit: PAGE_SIZE, offset: offsetIn(query) }),
      capstan.endpoints.list(),
      capstan.receipts.list({ limit: LOOKED_AT }),
    ]);
    const calls = receipts.filter(({ tool }) => tool !== null).slice(0, MOST_CALLS);
    const nowMs = site.now();
    const client = query.get('client') ?? '';
    const content = html`${list.items.filter(wantsSomething).slice(0, MOST_NOTICES).map(attention)}
${(list.total_count > 0 || endpoints.length > 0) && endpointCard({ endpoints, base_url: site.base_url, client, path: PATH, now_ms: nowMs })}
${
  list.items.length > 0
    ? html`${serverRows({ connections: list.items, total_count: list.total_count, endpoints, now_ms: nowMs })}${neighbours(PATH, list)}`
    : html`<p class="empty">No connections yet. A connection stores your sign-in to one MCP server, so that you can call its tools from anywhere. <a href="/docs/connections">How it works</a>.</p>`
}
${calls.length > 0 && recentCalls({ calls, connections: list.items, now_ms: nowMs, beside: html`<a href="/dashboard/calls">All calls</a>` })}
${newForm(place, form)}`;
    const beside = html`<a class="button plain" href="#new">${icon('plus')}Add connection</a>`;
    return board({ title: 'Connections', place: '/connections', beside, said, content });
  },
  acts: {
    connect: async (visit) => {
      const { capstan, form } = visit;
      const place = form.get('place') ?? '';
      const own = form.get('at_once') === 'yes' ? await ownOf(capstan, place) : [];
      const [first] = own;
      // A second connection to the same server is made on purpose only; a reload continues with the first one.
      if (first !== undefined && (own.length > 1 || !isToSignIn(first)))
        return { location: `${PATH}?listing=${encodeURIComponent(place)}` };
      // A form that is sent twice, as by a reload, makes one connection.
      const options = { idempotency_key: form.get('key') ?? randomUUID() };
      const made = first ?? (await capstan.connections.create({ body: bodyOf(form) }, options));
      return arrive(visit, made);
    },
    /** After the script of the form has made a connection and stored its secrets. */
    made: async (visit) => arrive(visit, await visit.capstan.connections.get({ id: visit.form.get('made') ?? '' })),
  },
});

/** From a new connection to the sign-in at its server, or to a tool that can be called. */
async function arrive(visit: FormVisit, made: Connection): Promise<View | Away> {
  const offer = offerIn(visit.form);
  if (isToSignIn(made)) {
    const view = await toServer(visit, made, `${connectionPath(made)}?begin=connection_signed_in`);
    return { ...view, cookies: [...(view.cookies ?? []), ...keepOffer(made, offer, visit.site)] };
  }
  const areOffered = await offerTools(visit, made, offer);
  return { location: `${connectionPath(made)}?${areOffered ? 'begin=connection_made' : 'done=tools_not_offered'}` };
}

const MOST_NOTICES = 3;
const MOST_CALLS = 8;
/** Runs without a tool are among them. */
const LOOKED_AT = 50;

const attention = (connection: Connection): Html =>
  notice({
    look: connection.status === 'error' ? 'bad' : 'warn',
    shape: 'triangle-alert',
    title: html`<bdi>${cut(connection.name, 100)}</bdi> ${connection.status === 'error' ? 'does not work.' : 'needs you to sign in.'}`,
    text: 'Its tools are hidden until then.',
    action:
      connection.status === 'error'
        ? { href: connectionPath(connection), words: 'Review' }
        : repairButton(connection, { look: 'plain small' }),
  });

/** Waits for its first sign-in at the server. */
const isToSignIn = ({ status, auth }: Connection): boolean =>
  status === 'auth_required' && auth.oauth === true && auth.type === 'none';

const keyField = (): Html => html`<input type="hidden" name="key" value="${randomUUID()}">`;

/** The form for a server of a listing, and what happens when it is sent. */
async function connectPage(
  visit: OwnVisit,
  listed: Listed,
  said: Said | null,
  form: URLSearchParams | null,
): Promise<View> {
  const { items: endpoints } = await visit.capstan.endpoints.list();
  const canSign = asksSecrets(listed) ? await hasWallet(visit) : null;
  const name = cut(listed.item.name, 100) || listed.place;
  const content = connectForm({ ...listed, path: PATH, form, can_sign: canSign, endpoints, key: keyField() });
  const trail = html`<a href="${PATH}">Connections</a>`;
  return board({ title: `Connect ${name}`, place: '/connections', trail, said, content });
}

function newForm(place: string, form: URLSearchParams | null): Html {
  return html`<section aria-labelledby="new"><h2 id="new">Connect to a server</h2>
<form method="post" action="${PATH}" class="stack"><input type="hidden" name="do" value="connect">${keyField()}
<label>Address or listing<input name="place" required value="${place}" placeholder="https://server.example/mcp" spellcheck="false" autocapitalize="none" autocomplete="off"></label>
<p class="fine">The address of an MCP server, or a listing of the <a href="/marketplace?listing_type=server">catalog</a> by its id, <code>provider/id</code> or <code>publisher/name</code>.</p>
<label>Name <span class="label">optional, defaults to the server’s name</span><input name="name" maxlength="100" value="${form?.get('name') ?? ''}" autocomplete="off"></label>
<label>Variables <span class="label">one <code>NAME=value</code> per line; add secrets afterwards</span><textarea name="variables" rows="2" spellcheck="false">${form?.get('variables') ?? ''}</textarea></label>
<div><button type="submit" class="button">Connect</button></div>
</form></section>`;
}

/** Null where it is no listing that can be had; then the address is asked for. */
async function listedServer(capstan: Capstan, place: string, at: number): Promise<Listed | null> {
  const listing = listingIn(place);
  if (listing === null) return null;
  try {
    const [item, own] = await Promise.all([
      capstan.items.get({ provider: listing.provider, id: listing.external_id }),
      ownOf(capstan, place),
    ]);
    const index = Number.isInteger(at) && at in item.servers ? at : 0;
    const choice = item.servers[index];
    return choice === undefined ? null : { own, item, place, at: index, choice };
  } catch (error) {
    if (error instanceof CapstanError && error.status >= 400 && error.status < 500) return null;
    throw error;
  }
}

/** The files of a bundle declare more values than its listing: a refused request names them all. */
function withDeclared(listed: Listed, said: Said | null): Listed {
  const declared = said !== null && 'failed' in said ? (said.failed.body as { fields?: unknown } | null)?.fields : null;
  if (!Array.isArray(declared)) return listed;
  return { ...listed, choice: { ...listed.choice, inputs: declared as Listed['choice']['inputs'] } };
}

const MOST_OWN = 20;

async function ownOf(capstan: Capstan, place: string): Promise<readonly Connection[]> {
  const listing = listingIn(place);
  if (listing === null) return [];
  const { provider, external_id } = listing;
  return (await capstan.connections.list({ listing: `${provider}/${external_id}`, limit: MOST_OWN })).items;
}

type Body = NonNullable<Input<'connections.connections.create'>['body']>;
type Listing = NonNullable<Body['listing']>;

function bodyOf(form: URLSearchParams): Body {
  const [place = '', name = ''] = ['place', 'name'].map((text) => (form.get(text) ?? '').trim());
  const variables = { ...pairsIn(form.get('variables') ?? ''), ...serverValues(form) };
  const hosts = hostsIn(form);
  const more = {
    ...(name === '' ? {} : { name }),
    ...(Object.keys(variables).length === 0 ? {} : { variables }),
    ...(hosts.length === 0 ? {} : { hosts }),
  };
  if (/^https?:/i.test(place)) return { url: place, ...more };
  if (place === '') throw unfit('/place', 'an address that starts with https://, or a name of a listing');
  const listing = listingIn(place);
  if (listing === null) return { ref: place, ...more };
  return { listing: { ...listing, ...indexIn(form, 'remote'), ...indexIn(form, 'package') }, ...more };
}

function listingIn(place: string): Pick<Listing, 'provider' | 'external_id'> | null {
  if (/^https?:/i.test(place)) return null;
  const [provider = '', ...rest] = place.replace(/^\/?registry\//, '').split('/');
  return rest.length === 0 || !isProvider(provider)
    ? null
    : { provider: provider as Listing['provider'], external_id: rest.join('/') };
}

function indexIn(form: URLSearchParams, name: 'remote' | 'package'): Pick<Listing, 'remote' | 'package'> {
  const text = form.get(name) ?? '';
  return /^\d{1,3}$/.test(text) ? { [name]: Number(text) } : {};
}

function pairsIn(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const pairs = lines.map((line): [string, string] => {
    const [, name = '', value = ''] = /^\s*([^=\s]+)\s*=(.*)$/.exec(line.replace(/\r$/, '')) ?? [];
    if (name === '') throw unfit('/variables', 'one NAME=value per line');
    return [name, value.trim()];
  });
  return Object.fromEntries(pairs);
}
