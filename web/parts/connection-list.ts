import type { Connection } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { type Look, plainState } from './state.ts';
import { ago, cut } from './words.ts';

/** A list of connections with their status. Names and errors are untrusted text. */

const STATES: Record<Connection['status'], readonly [words: string, look: Look]> = {
  pending: ['not connected yet', ''],
  auth_required: ['sign-in required', 'warn'],
  ready: ['ready', 'good'],
  error: ['error', 'bad'],
};

export const connectionState = ({ status }: Connection): Html => plainState(STATES[status][1], STATES[status][0]);

export const connectionPath = ({ id }: Pick<Connection, 'id'>): string => `/dashboard/connections/${id}`;

export const connectionList = (connections: readonly Connection[], now_ms: number): Html =>
  html`<ul class="rows">${connections.map((connection) => row(connection, now_ms))}</ul>`;

/** Without the request that repairs it, because a button does. */
export const errorWords = ({ detail }: NonNullable<Connection['last_error']>): string =>
  cut(detail.replace(/ Start again with POST \S+$/, ''), 400);

const row = (connection: Connection, nowMs: number): Html => html`<li>
<div class="what"><h3><a href="${connectionPath(connection)}"><bdi>${cut(connection.name, 100)}</bdi></a></h3>
<p class="facts">${connectionState(connection)}${connection.auth.account !== null && html`<span><bdi>${cut(connection.auth.account, 100)}</bdi></span>`}<span><bdi>${cut(connection.url, 120)}</bdi></span>${connection.last_used_at !== null && html`<span>used ${ago(connection.last_used_at, nowMs)}</span>`}</p>
${connection.last_error !== null && html`<p class="fine" dir="auto">${errorWords(connection.last_error)}</p>`}</div>
${connection.status === 'auth_required' && html`<div class="does">${repairButton(connection)}</div>`}
</li>`;

interface RepairButton {
  /** The path to return to. */
  to?: string;
  look?: string;
}

/** Starts OAuth if the server supports it; otherwise links to the credentials form. */
export const repairButton = (connection: Connection, { to = '', look = '' }: RepairButton = {}): Html =>
  connection.auth.oauth === true
    ? html`<form method="post" action="${connectionPath(connection)}"><input type="hidden" name="do" value="oauth">${to !== '' && html`<input type="hidden" name="to" value="${to}">`}<button type="submit" class="button ${look}">${connection.auth.type === 'oauth' ? 'Repair' : 'Sign in'}</button></form>`
    : html`<a class="button ${look}" href="${connectionPath(connection)}#credentials">Store credentials</a>`;
