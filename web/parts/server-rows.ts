import type { Connection } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { connectionPath, errorWords, repairButton } from './connection-list.ts';
import { type Endpoint, toolsOn } from './endpoint-card.ts';
import { flag } from './flag.ts';
import { type IconName, icon } from './icon.ts';
import { stateMark } from './state.ts';
import { ago, count, cut } from './words.ts';

/** The connections of a reader: what each is, its state, the tools that are on, and its last call. All names are untrusted. */

type Look = 'good' | 'warn' | 'bad' | '';

const STATES: Record<Connection['status'], readonly [look: Look, shape: IconName, words: string]> = {
  pending: ['', 'clock', 'Not connected yet'],
  auth_required: ['warn', 'log-in', 'Sign-in required'],
  ready: ['good', 'circle-check', 'Ready'],
  error: ['bad', 'circle-alert', 'Error'],
};

interface ServerRows {
  connections: readonly Connection[];
  total_count: number;
  endpoints: readonly Endpoint[];
  now_ms: number;
}

export const serverRows = ({ connections, total_count, endpoints, now_ms }: ServerRows): Html =>
  html`<section class="block servers" aria-labelledby="servers"><header><h2 id="servers">Servers</h2><span class="label num">${count(total_count)}</span></header>
<div class="server thead" aria-hidden="true"><span></span><span>Server</span><span>State</span><span>Tools on</span><span>Last call</span><span></span></div>
<ul>${connections.map((connection) => row(connection, endpoints, now_ms))}</ul></section>`;

const row = (connection: Connection, endpoints: readonly Endpoint[], nowMs: number): Html => html`<li class="server">
${flag(connection.listing?.external_id ?? connection.url, 'm')}<div><a href="${connectionPath(connection)}"><bdi>${cut(connection.name, 100)}</bdi></a><span class="label">${about(connection)}</span></div>
${stateMark(...STATES[connection.status])}
${toolBar(connection, endpoints)}
<span class="label only-wide">${connection.last_used_at === null ? 'not used yet' : ago(connection.last_used_at, nowMs)}</span>
<div class="does">${connection.status === 'auth_required' && repairButton(connection, { look: 'plain small' })}${connection.status === 'error' && html`<a class="button plain small" href="${connectionPath(connection)}">Review</a>`}${!wantsSomething(connection) && more(connection, endpoints)}</div>
${connection.last_error !== null && html`<p class="fine" dir="auto">${errorWords(connection.last_error)}</p>`}
</li>`;

function more(connection: Connection, endpoints: readonly Endpoint[]): Html {
  const path = connectionPath(connection);
  const links: [words: string, href: string][] = [
    ...(connection.status === 'ready' ? ([['Call a tool', `${path}#tools`]] as [string, string][]) : []),
    ...endpoints
      .slice(0, MOST_ENDPOINTS)
      .map(({ id, name }): [string, string] => [
        `Choose tools at ${cut(name, 30)}`,
        `/dashboard/endpoints/${encodeURIComponent(id)}`,
      ]),
    ...(connection.package === null ? [] : ([['Hosts', `${path}#package`]] as [string, string][])),
    ['Rename', `${path}#name`],
    ['Delete', `${path}#end`],
  ];
  return html`<details class="drop"><summary class="button quiet icon small">${icon('ellipsis')}<span class="hidden">More of ${cut(connection.name, 100)}</span></summary>
<div class="pop narrow"><ul>${links.map(([words, href]) => html`<li><a href="${href}"><bdi>${words}</bdi></a></li>`)}</ul></div></details>`;
}

const MOST_ENDPOINTS = 3;

/** What the server is, and what it was given. */
function about({ package: packaged, auth, url }: Connection): Html {
  const secrets = auth.stored.length;
  const facts = [
    packaged === null
      ? html`<bdi>${cut(url, 80)}</bdi>`
      : html`${packaged.ecosystem === 'oci' ? 'Image' : `${packaged.ecosystem} package`}`,
    ...(packaged === null || packaged.hosts.length === 0
      ? []
      : [html`${packaged.hosts.length} ${packaged.hosts.length === 1 ? 'host' : 'hosts'}`]),
    ...(auth.type === 'oauth' || secrets === 0 ? [] : [html`${secrets} ${secrets === 1 ? 'secret' : 'secrets'}`]),
    ...(auth.account === null ? [] : [html`<bdi>${cut(auth.account, 80)}</bdi>`]),
  ];
  return html`${facts.map((fact, at) => html`${at > 0 && ', '}${fact}`)}`;
}

const WIDTH = 100;

/** At the endpoint that offers most of them, of those that are accepted. */
function toolBar({ id, status }: Connection, endpoints: readonly Endpoint[]): Html {
  const choices = endpoints.flatMap(({ connections }) => connections.filter((each) => each.id === id));
  if (choices.length === 0)
    return html`<span class="label only-wide">${endpoints.length > 0 && 'Not at any endpoint'}</span>`;
  const all = Math.max(...choices.map(({ accepted, tools }) => Math.max(accepted, tools?.length ?? 0)));
  const on = status === 'ready' ? Math.max(...choices.map(toolsOn)) : 0;
  const width = all === 0 ? 0 : Math.round((on / all) * WIDTH);
  return html`<span class="num">${count(on)} of ${count(all)}<svg class="meter" viewBox="0 0 ${WIDTH} 5" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect class="track" width="${WIDTH}" height="5" rx="2.5"/><rect class="fill" width="${width}" height="5" rx="2.5"/></svg></span>`;
}

/** What needs the reader, above everything else. */
export const wantsSomething = ({ status }: Connection): boolean => status === 'auth_required' || status === 'error';
