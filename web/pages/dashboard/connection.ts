import { CapstanError, type Connection, type Input, type Operations } from '../../../sdk/src/index.ts';
import { connectionPath, connectionState, repairButton } from '../../parts/connection-list.ts';
import { connectionTools } from '../../parts/connection-tools.ts';
import { credentialForms, credentialsIn } from '../../parts/credential-forms.ts';
import { actButton, board } from '../../parts/dashboard.ts';
import { errorLink } from '../../parts/error-link.ts';
import { listingPath } from '../../parts/listings.ts';
import { onward } from '../../parts/onward.ts';
import { hostsIn, packageSection } from '../../parts/package-hosts.ts';
import type { Said } from '../../parts/said.ts';
import { hasWallet, signedBy } from '../../parts/signed-form.ts';
import { ago, cut } from '../../parts/words.ts';
import { type Html, html, type Value } from '../../server/html.ts';
import { type FormVisit, ownPage } from '../../server/own-page.ts';
import type { View } from '../../server/page.ts';

/** `/dashboard/connections/{id}`: its status, sign-in and tools. All its texts are untrusted. */

const idOf = ({ params }: Pick<FormVisit, 'params'>): string => params.id as string;

export const connection = ownPage({
  show: async (visit, said) => {
    const { capstan, query, site } = visit;
    const connection = await capstan.connections.get({ id: idOf(visit) });
    const [tools, canSign] = await Promise.all([connectionTools(capstan, connection), hasWallet(visit)]);
    const content = html`${standing(connection, site.now())}
${connection.package !== null && packageSection(connection.package)}
${tools}
${credentialForms(connection, canSign)}
<section aria-labelledby="end"><h2 id="end">Delete</h2>
<p>Deletes the stored credentials and revokes its tokens at their issuer.</p>
${actButton('delete', 'Delete connection')}</section>`;
    const trail = html`<a href="/dashboard/connections">Connections</a>`;
    return board({
      title: cut(connection.name, 100),
      place: '/connections',
      trail,
      content,
      said: said ?? signInOutcome(query),
    });
  },
  acts: {
    oauth: (visit) => toServer(visit),
    credentials: async (visit) => {
      const { capstan, form } = visit;
      const body = credentialsIn(form) as Input<'connections.credentials.store'>['body'];
      await capstan.credentials.store({ id: idOf(visit), body }, signedBy(form));
      return { done: 'credentials_stored' };
    },
    hosts: async (visit) => {
      await visit.capstan.hosts.replace({ id: idOf(visit), body: { hosts: hostsIn(visit.form) } });
      return { done: 'hosts_saved' };
    },
    accept: async (visit) => {
      const [tool = '', hash = ''] = ['tool', 'hash'].map((name) => visit.form.get(name) ?? '');
      await visit.capstan.tools.accept({ id: idOf(visit), body: { tool, hash } });
      return { done: 'tool_accepted' };
    },
    accept_all: async (visit) => {
      const set_hash = visit.form.get('set_hash') ?? '';
      await visit.capstan.tools.acceptAll({ id: idOf(visit), body: { set_hash } });
      return { done: 'tools_accepted' };
    },
    delete: async (visit) => {
      await visit.capstan.connections.delete({ id: idOf(visit) });
      return { done: 'connection_deleted', to: '/dashboard/connections' };
    },
  },
});

/** The callback redirects to this page; its cookie binds the sign-in to this browser. */
async function toServer(visit: FormVisit) {
  const { capstan, headers } = visit;
  const more = headers.cookie === undefined ? {} : { headers: { cookie: `${headers.cookie}` } };
  const [id, return_to] = [idOf(visit), connectionPath({ id: idOf(visit) })];
  const { body, headers: sent } = await capstan.call(
    'connections.authorization.start',
    { id, body: { return_to } },
    more,
  );
  return consent(body, sent.getSetCookie());
}

/** Shown before the browser leaves: which server receives a token, from which issuer, with which scopes. */
function consent(
  { authorization_url, server, issuer, scopes }: Operations['authorization']['start']['answer'],
  cookies: string[],
): View {
  return onward(
    authorization_url,
    'Sign in there to allow this.',
    cookies,
    html`<dl class="pairs">
<div><dt>Server</dt><dd><bdi>${cut(server, 300)}</bdi></dd></div>
<div><dt>Token issuer</dt><dd><bdi>${cut(issuer, 300)}</bdi></dd></div>
<div><dt>Scopes</dt><dd>${scopes.length === 0 ? 'chosen by the issuer' : scopes.map((scope) => html`<code>${cut(scope, 100)}</code> `)}</dd></div>
</dl>`,
  );
}

/** The result that the callback put into the address. */
function signInOutcome(query: URLSearchParams): Said | null {
  const code = query.get('oauth');
  if (code === null) return null;
  if (code === 'connected') return { done: 'connection_signed_in' };
  if (!/^[a-z]+\.[a-z_]{1,60}$/.test(code)) return null;
  const detail = 'Sign-in to the server was not completed.';
  return { failed: new CapstanError({ kind: 'forbidden', status: 403, code, detail }) };
}

function standing(connection: Connection, nowMs: number): Html {
  const rows: [string, Value][] = [
    ['Status', connectionState(connection)],
    ['Address', html`<bdi>${cut(connection.url, 300)}</bdi>`],
    ['Listing', connection.listing !== null && listingLink(connection.listing)],
    [
      'Server',
      connection.server_info !== null &&
        html`<bdi>${cut(`${connection.server_info.name} ${connection.server_info.version}`, 100)}</bdi>`,
    ],
    ['MCP', connection.protocol_version],
    ['Authentication', connection.auth.type === 'none' ? 'none' : connection.auth.type],
    [
      'Stored',
      connection.auth.stored.length > 0 && connection.auth.stored.map((name) => html`<code>${cut(name, 80)}</code> `),
    ],
    ['Created', ago(connection.created_at, nowMs)],
    ['Last used', ago(connection.last_used_at, nowMs)],
  ];
  return html`<section id="sign-in" aria-label="Status">
${connection.last_error !== null && html`<div class="said bad"><p dir="auto">${cut(connection.last_error.detail, 400)}</p><p class="fine">${errorLink(connection.last_error)}</p></div>`}
<dl class="pairs">${rows.map(([name, value]) => value && html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
${(connection.auth.oauth === true || connection.status === 'auth_required') && html`<div class="ways">${repairOrAgain(connection)}</div>`}</section>`;
}

/** A valid sign-in can be repeated with more scopes or as another user. */
const repairOrAgain = (connection: Connection): Html =>
  connection.status === 'ready' && connection.auth.type === 'oauth'
    ? actButton('oauth', 'Sign in again')
    : repairButton(connection);

const listingLink = ({ provider, external_id }: NonNullable<Connection['listing']>): Html =>
  html`<a href="${listingPath(provider, external_id)}"><bdi>${provider}/${external_id}</bdi></a>`;
