import type { Operations } from '../../../sdk/src/index.ts';
import { copyable } from '../../parts/copy.ts';
import { board } from '../../parts/dashboard.ts';
import type { Said } from '../../parts/said.ts';
import { ago, cut } from '../../parts/words.ts';
import { type Html, html, type Value } from '../../server/html.ts';
import { type OwnVisit, ownPage } from '../../server/own-page.ts';
import type { View } from '../../server/page.ts';

/** `/dashboard/endpoints`: chosen tools of the user's connections as one MCP server. A token is shown once. */

type Endpoint = Operations['endpoints']['list']['answer']['items'][number];
type Made = Operations['endpoints']['create']['answer'];

const PATH = '/dashboard/endpoints';
const MOST = 200;

const endpointPath = ({ id }: Pick<Endpoint, 'id'>): string => `${PATH}/${encodeURIComponent(id)}`;

export const endpoints = ownPage({
  show: (visit, said, form) => shown(visit, said, null, form),
  acts: {
    make: async (visit) => {
      const { capstan, form } = visit;
      const connections = form.getAll('connection').map((id) => ({ id }));
      const made = await capstan.endpoints.create({ body: { name: form.get('name') ?? '', connections } });
      return shown(visit, null, madeSection(made));
    },
  },
});

async function shown(
  { capstan, site }: OwnVisit,
  said: Said | null,
  above: Value,
  form: URLSearchParams | null = null,
): Promise<View> {
  const [{ items }, connections] = await Promise.all([
    capstan.endpoints.list(),
    capstan.connections.list({ limit: MOST }),
  ]);
  const chosen = form?.getAll('connection') ?? null;
  const content = html`${above}
<p>An endpoint offers chosen tools of your connections to a client as one MCP server. Its token can call these tools and nothing else. Make one for each client. <a href="/docs/connections">How it works</a></p>
${items.length > 0 && html`<ul class="rows">${items.map((endpoint) => row(endpoint, site.now()))}</ul>`}
<section aria-labelledby="new"><h2 id="new">New endpoint</h2>
${
  connections.items.length === 0
    ? html`<p class="empty">No connections yet. <a href="/dashboard/connections">Connect to a server</a> first.</p>`
    : html`<form method="post" action="${PATH}" class="stack"><input type="hidden" name="do" value="make">
<label>Name<input name="name" required maxlength="80" value="${form?.get('name') ?? ''}" placeholder="Claude Code on my laptop" autocomplete="off"></label>
<fieldset><legend>Connections</legend>${connections.items.map(
        ({ id, name }) =>
          html`<label class="check"><input type="checkbox" name="connection" value="${id}"${(chosen === null || chosen.includes(id)) && html` checked`}> <bdi>${cut(name, 100)}</bdi></label>`,
      )}</fieldset>
<p class="fine">This accepts the current tools of these servers. You can choose individual tools afterwards.</p>
<div><button type="submit" class="button">Create endpoint</button></div></form>`
}</section>`;
  const trail = html`<a href="/dashboard/connections">Connections</a>`;
  return board({ title: 'Endpoints', place: '/connections', trail, said, content });
}

const row = (endpoint: Endpoint, nowMs: number): Html => html`<li>
<div class="what"><h3><a href="${endpointPath(endpoint)}"><bdi>${cut(endpoint.name, 100)}</bdi></a></h3>
<p class="facts"><code>${endpoint.hint}</code><span>${endpoint.connections.length} ${endpoint.connections.length === 1 ? 'connection' : 'connections'}</span><span>${endpoint.last_used_at === null ? 'never used' : html`used ${ago(endpoint.last_used_at, nowMs)}`}</span></p></div>
</li>`;

function madeSection({ name, url, token, installs }: Made): Html {
  const entry = installs.clients.find(({ client }) => client === 'claude-code')?.config;
  return html`<section class="said" role="status" aria-labelledby="made"><h2 id="made">Endpoint <bdi>${cut(name, 100)}</bdi> created</h2>
<p>Copy the token now. It will not be shown again.</p>
${copyable(token, 'token')}
<p>Address of the server:</p>${copyable(url, 'address')}
${entry != null && html`<details><summary>Configuration for clients</summary>${copyable(JSON.stringify({ [entry.key]: { [installs.name]: entry.value } }, null, 2), 'configuration')}</details>`}</section>`;
}
