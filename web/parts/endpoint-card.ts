import type { Operations } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { copyable } from './copy.ts';
import { icon } from './icon.ts';
import { stateMark } from './state.ts';
import { ago, count, cut } from './words.ts';

/** The one address of all connections, its tokens, and how each client gets it with one command. */

export type Endpoint = Operations['endpoints']['list']['answer']['items'][number];

interface EndpointCard {
  endpoints: readonly Endpoint[];
  base_url: string;
  /** The client of the address, such as `cursor`. */
  client: string;
  /** Of the page. */
  path: string;
  now_ms: number;
}

const CLIENTS = [
  ['claude-code', 'Claude Code'],
  ['cursor', 'Cursor'],
  ['vscode', 'VS Code'],
  ['codex', 'Codex'],
  ['json', 'JSON'],
] as const;

const MOST_SHOWN = 5;

export function endpointCard({ endpoints, base_url, client, path, now_ms }: EndpointCard): Html {
  const address = endpoints[0]?.url ?? `${base_url}/mcp/mine`;
  const [shown] = CLIENTS.find(([id]) => id === client) ?? CLIENTS[0];
  return html`<section class="card endpoint" id="endpoint" aria-labelledby="endpoint-title"><div>
<h2 id="endpoint-title">Your endpoint</h2><p class="fine">${summary(endpoints)}</p>
${copyable(address, 'address')}
${endpoints.length > 0 && html`<ul class="tokens">${endpoints.slice(0, MOST_SHOWN).map((endpoint) => token(endpoint, now_ms))}</ul>`}
<p class="facts"><span>${icon('key-round')}A token for each client</span><a href="/dashboard/endpoints">${endpoints.length > MOST_SHOWN ? `All ${count(endpoints.length)} tokens` : 'New token'}</a></p></div>
<div><nav class="segs" aria-label="Client">${CLIENTS.map(([id, title]) => html`<a href="${path}?client=${id}#endpoint"${id === shown && html` aria-current="true"`}>${title}</a>`)}</nav>
${setUp(shown, address, base_url)}
${lastUse(endpoints, now_ms)}</div></section>`;
}

function summary(endpoints: readonly Endpoint[]): Html | string {
  const on = endpoints.flatMap(({ connections }) => connections).filter(({ status }) => status === 'ready');
  const servers = new Map<string, number>();
  for (const choice of on) servers.set(choice.id, Math.max(servers.get(choice.id) ?? 0, toolsOn(choice)));
  const tools = [...servers.values()].reduce((sum, each) => sum + each, 0);
  return html`One address for all your connections.${servers.size > 0 && ` ${count(tools)} ${tools === 1 ? 'tool' : 'tools'} from ${count(servers.size)} ${servers.size === 1 ? 'server' : 'servers'} ${tools === 1 ? 'is' : 'are'} on.`}`;
}

/** Chosen tools of a connection, or all that are accepted. */
export const toolsOn = ({ tools, accepted }: Endpoint['connections'][number]): number => tools?.length ?? accepted;

const token = ({ id, name, hint, last_used_at }: Endpoint, nowMs: number): Html =>
  html`<li><a href="/dashboard/endpoints/${encodeURIComponent(id)}"><bdi>${cut(name, 80)}</bdi></a> <code>${hint}</code> <span class="label">${last_used_at === null ? 'never used' : html`used ${ago(last_used_at, nowMs)}`}</span></li>`;

/** The command makes a token for the client and writes it into its configuration, so that no page and no history has it. */
function setUp(client: (typeof CLIENTS)[number][0], address: string, baseUrl: string): Html {
  if (client !== 'json')
    return html`${copyable(`capstan --url ${baseUrl} install --mine --client ${client}`, 'command')}
<p class="fine">Creates a token for this client and writes it into its configuration. <a href="/docs/connections#use-all-connections-in-one-client">How it works</a></p>`;
  const entry = { type: 'http', url: address, headers: { Authorization: 'Bearer YOUR_TOKEN' } };
  return html`${copyable(JSON.stringify({ mcpServers: { capstan: entry } }, null, 2), 'configuration')}
<p class="fine">For any client. Put in a token that you <a href="/dashboard/endpoints">create</a>; it is shown once.</p>`;
}

function lastUse(endpoints: readonly Endpoint[], nowMs: number): Html | false {
  const [last] = endpoints
    .filter(({ last_used_at }) => last_used_at !== null)
    .toSorted((a, b) => Date.parse(b.last_used_at ?? '') - Date.parse(a.last_used_at ?? ''));
  if (last === undefined) return false;
  const words = html`<bdi>${cut(last.name, 80)}</bdi> used it ${ago(last.last_used_at, nowMs)}`;
  return html`<p class="facts">${stateMark('good', 'circle-check', words)}</p>`;
}
