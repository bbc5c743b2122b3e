import type { Connection, Input } from '../../../sdk/src/index.ts';
import { connectionPath, connectionState, errorWords, repairButton } from '../../parts/connection-list.ts';
import { connectionTools, firstTool, toolPath } from '../../parts/connection-tools.ts';
import { credentialForms, credentialsIn } from '../../parts/credential-forms.ts';
import { actButton, board } from '../../parts/dashboard.ts';
import { errorLink } from '../../parts/error-link.ts';
import { listingPath } from '../../parts/listings.ts';
import { offerTools, takeOffer } from '../../parts/offer-tools.ts';
import { hostsIn, packageSection } from '../../parts/package-hosts.ts';
import type { Said } from '../../parts/said.ts';
import { signInOutcome, toServer } from '../../parts/server-sign-in.ts';
import { hasWallet, signedBy } from '../../parts/signed-form.ts';
import { ago, cut } from '../../parts/words.ts';
import { type Html, html, type Value } from '../../server/html.ts';
import { type FormVisit, type OwnVisit, ownPage } from '../../server/own-page.ts';
import type { Away } from '../../server/page.ts';

/** `/dashboard/connections/{id}`: its status, sign-in and tools. All its texts are untrusted. */

const idOf = ({ params }: Pick<FormVisit, 'params'>): string => params.id as string;

export const connection = ownPage({
  show: async (visit, said) => {
    const { capstan, query, site } = visit;
    const connection = await capstan.connections.get({ id: idOf(visit) });
    const outcome = said ?? signInOutcome(query);
    const first = await firstCall(visit, connection, outcome);
    if (first !== null) return first;
    const [tools, canSign] = await Promise.all([connectionTools(capstan, connection), hasWallet(visit)]);
    const content = html`${standing(connection, outcome, site.now())}
${connection.package !== null && packageSection({ id: connection.id, package: connection.package }, canSign)}
${tools}
${credentialForms(connection, canSign)}
${renameForm(connection)}
<section aria-labelledby="end"><h2 id="end">Delete</h2>
<p>Deletes the stored credentials and revokes its tokens at their issuer.</p>
${actButton('delete', 'Delete connection', {}, 'danger')}</section>`;
    const trail = html`<a href="/dashboard/connections">Connections</a>`;
    return board({
      title: cut(connection.name, 100),
      place: '/connections',
      trail,
      content,
      said: outcome ?? begunIn(query),
    });
  },
  acts: {
    oauth: async (visit) => {
      const connection = await visit.capstan.connections.get({ id: idOf(visit) });
      const to = visit.form.get('to') ?? '';
      return toServer(visit, connection, to.startsWith('/') ? to : afterSignIn(connection));
    },
    rename: async (visit) => {
      const name = (visit.form.get('name') ?? '').trim();
      await visit.capstan.connections.update({ id: idOf(visit), body: { name } });
      return { done: 'connection_renamed' };
    },
    check: async (visit) => {
      await visit.capstan.tools.list({ id: idOf(visit), refresh: true });
      return { done: 'connection_checked' };
    },
    credentials: async (visit) => {
      const { capstan, form } = visit;
      const body = credentialsIn(form) as Input<'connections.credentials.store'>['body'];
      await capstan.credentials.store({ id: idOf(visit), body }, signedBy(form));
      return { done: 'credentials_stored' };
    },
    hosts: async (visit) => {
      const { capstan, form } = visit;
      await capstan.hosts.replace({ id: idOf(visit), body: { hosts: hostsIn(form) } }, signedBy(form));
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

/** After connecting or signing in for the first time, the reader sees a tool that they can call. */
async function firstCall(visit: OwnVisit, connection: Connection, said: Said | null): Promise<Away | null> {
  const { capstan, query } = visit;
  const begun = begunIn(query);
  if (begun === null || connection.status !== 'ready' || (said !== null && 'failed' in said)) return null;
  const { offer, cookies } = takeOffer(visit, connection);
  const done = (await offerTools(visit, connection, offer)) ? begun.done : 'tools_not_offered';
  const tool = firstTool((await capstan.tools.list({ id: connection.id })).items);
  const path = tool === undefined ? connectionPath(connection) : toolPath(connection, tool.name);
  return tool === undefined && cookies.length === 0 ? null : { location: `${path}?done=${done}`, cookies };
}

const BEGUN = ['connection_made', 'connection_signed_in'] as const;

function begunIn(query: URLSearchParams): { done: (typeof BEGUN)[number] } | null {
  const done = BEGUN.find((name) => name === query.get('begin'));
  return done === undefined ? null : { done };
}

/** A repaired connection returns to its page. */
const afterSignIn = (connection: Connection): string =>
  `${connectionPath(connection)}${connection.auth.type === 'oauth' ? '' : '?begin=connection_signed_in'}`;

const renameForm = ({ name }: Connection): Html => html`<section aria-labelledby="name"><h2 id="name">Name</h2>
<form method="post" class="stack"><input type="hidden" name="do" value="rename">
<label>Name <span class="label">if you have several accounts at one server</span><input name="name" required maxlength="100" value="${name}" autocomplete="off"></label>
<div><button type="submit" class="button plain">Rename</button></div></form></section>`;

function standing(connection: Connection, said: Said | null, nowMs: number): Html {
  const { last_error } = connection;
  // A check that just failed is shown at the top of the page.
  const isShown = said !== null && 'failed' in said && said.failed.detail === last_error?.detail;
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
      'Account',
      (connection.auth.account !== null || connection.auth.previous_account !== null) && accountWords(connection.auth),
    ],
    [
      'Stored',
      connection.auth.stored.length > 0 && connection.auth.stored.map((name) => html`<code>${cut(name, 80)}</code> `),
    ],
    ['Created', ago(connection.created_at, nowMs)],
    ['Last used', ago(connection.last_used_at, nowMs)],
  ];
  return html`<section id="sign-in" aria-label="Status">
${last_error !== null && !isShown && html`<div class="said bad"><p dir="auto">${errorWords(last_error)}</p><p class="fine">${errorLink(last_error)}</p></div>`}
<dl class="pairs">${rows.map(([name, value]) => value && html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
${(connection.auth.oauth === true || connection.status === 'auth_required') && html`<div class="ways">${repairOrAgain(connection)}</div>`}
${connection.status === 'error' && html`<div class="ways">${actButton('check', 'Check again')}</div>`}</section>`;
}

const accountWords = ({ account, previous_account }: Connection['auth']): Html =>
  html`${account === null ? 'not named by its issuer' : html`<bdi>${cut(account, 200)}</bdi>`}${previous_account !== null && html` <span class="label">before: <bdi>${cut(previous_account, 200)}</bdi></span>`}`;

/** A valid sign-in can be repeated with more scopes or as another user. */
const repairOrAgain = (connection: Connection): Html =>
  connection.status === 'ready' && connection.auth.type === 'oauth'
    ? actButton('oauth', 'Sign in again')
    : repairButton(connection);

const listingLink = ({ provider, external_id }: NonNullable<Connection['listing']>): Html =>
  html`<a href="${listingPath(provider, external_id)}"><bdi>${provider}/${external_id}</bdi></a>`;
