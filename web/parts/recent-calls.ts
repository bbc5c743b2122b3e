import type { Connection, Operations } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { block } from './block.ts';
import { connectionPath } from './connection-list.ts';
import { toolPath } from './connection-tools.ts';
import type { IconName } from './icon.ts';
import { lasted } from './run-state.ts';
import { stateMark } from './state.ts';
import { ago, cut } from './words.ts';

/** Calls of tools, whichever client made them. Names of tools and servers are untrusted. */

type OwnReceipt = Operations['receipts']['list']['answer']['items'][number];

interface RecentCalls {
  calls: readonly OwnReceipt[];
  /** To name servers. */
  connections: readonly Connection[];
  now_ms: number;
  /** At the right of the title. */
  beside?: Html;
}

export const recentCalls = ({ calls, connections, now_ms, beside }: RecentCalls): Html =>
  block({
    id: 'calls',
    title: 'Recent calls',
    is_flush: true,
    ...(beside === undefined ? {} : { label: beside }),
    content: html`<div class="scroll" tabindex="0" role="region" aria-label="Calls with their results"><table class="t calls"><thead><tr><th scope="col">Tool</th><th scope="col">Server</th><th scope="col">Result</th><th scope="col" class="number">Took</th><th scope="col" class="number">When</th></tr></thead>
<tbody>${calls.map((call) => row(call, connections, now_ms))}</tbody></table></div>`,
  });

function row(call: OwnReceipt, connections: readonly Connection[], nowMs: number): Html {
  const { id, tool, started_at, finished_at } = call;
  const connection = connectionOf(call, connections);
  const name = html`<code><bdi>${cut(tool?.name ?? call.name, 80)}</bdi></code>`;
  const server =
    connection === null
      ? html`<bdi>${cut((tool?.server ?? '').replace(/^listing\/[^/]+\//, ''), 60)}</bdi>`
      : html`<a href="${connectionPath(connection)}"><bdi>${cut(connection.name, 60)}</bdi></a>`;
  const ended = finished_at === null ? null : Date.parse(finished_at) - Date.parse(started_at);
  return html`<tr><th scope="row">${connection === null || tool === null ? name : html`<a href="${toolPath(connection, tool.name)}">${name}</a>`}</th><td>${server}</td>
<td>${call.status === 'running' ? mark(call) : html`<a href="/receipts/${id}">${mark(call)}</a>`}</td>
<td class="number">${ended === null ? '' : lasted(ended)}</td><td class="number">${ago(started_at, nowMs)}</td></tr>`;
}

/** Null if it is gone, or if several are to the same server. */
function connectionOf({ tool }: OwnReceipt, connections: readonly Connection[]): Connection | null {
  const server = tool?.server ?? '';
  const found = connections.filter(
    ({ id, listing, url }) =>
      server === `connection/${id}` ||
      (listing !== null && server === `listing/${listing.provider}/${listing.external_id}`) ||
      (listing === null && (server === url || server === URL.parse(url)?.origin)),
  );
  return found.length === 1 ? (found[0] ?? null) : null;
}

const STATES: Record<OwnReceipt['status'], readonly [look: 'good' | 'warn' | 'bad' | 'busy' | '', IconName, string]> = {
  running: ['busy', 'loader-circle', 'Running'],
  completed: ['good', 'circle-check', 'Completed'],
  failed: ['bad', 'circle-x', 'Failed'],
  cancelled: ['', 'minus', 'Stopped'],
  interrupted: ['bad', 'circle-alert', 'Interrupted'],
  refused: ['warn', 'hand', 'Refused'],
};

/** Instead of the state, where they say more. */
const REASONS: Record<string, string> = {
  timed_out: 'Timed out',
  tool_error: 'Tool error',
  unreachable: 'Not answering',
  auth_needed: 'Sign-in required',
  tool_changed: 'Tool changed',
  wants_network: 'Host refused',
  not_asked: 'Could not ask you',
  unanswered: 'Not answered by you',
  declined: 'Declined by you',
};

function mark({ status, reason }: OwnReceipt): Html {
  const [look, shape, words] = STATES[status];
  return stateMark(look, shape, REASONS[reason ?? ''] ?? words);
}
