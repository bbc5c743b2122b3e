import { type Capstan, CapstanError, type Connection, type Rig } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { connectionPath, connectionState } from './connection-list.ts';
import { plainState } from './state.ts';
import { cut } from './words.ts';

/** The servers of a locked rig. A lock has the ids of connections; their owner knows them by name and account. */

interface LockedServer {
  name: string;
  ref: string;
  /** Empty where the rig needs none. */
  connection: string;
  tools: readonly { name: string }[];
}

/** Null without a lock or servers. */
export async function rigServers(capstan: Capstan, { lock }: Rig): Promise<Html | null> {
  if (lock === null) return null;
  const { servers } = JSON.parse(lock.content) as { servers: readonly LockedServer[] };
  if (servers.length === 0) return null;
  const rows = await Promise.all(
    servers.map(async (server) =>
      row(server, server.connection === '' ? null : await connectionOf(capstan, server.connection)),
    ),
  );
  return html`<section aria-labelledby="servers"><h2 id="servers">Servers</h2><ul class="rows">${rows}</ul></section>`;
}

/** Null if it was deleted since the rig was locked. */
async function connectionOf(capstan: Capstan, id: string): Promise<Connection | null> {
  try {
    return await capstan.connections.get({ id });
  } catch (error) {
    if (error instanceof CapstanError && error.status === 404) return null;
    throw error;
  }
}

const row = ({ name, ref, connection: id, tools }: LockedServer, connection: Connection | null): Html =>
  html`<li><div class="what"><h3><bdi>${cut(name, 100)}</bdi></h3>
<p class="facts">${place(ref, id, connection)}<span>${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}: ${tools.slice(0, MOST_TOOLS).map((tool, at) => html`${at > 0 && ', '}<code>${cut(tool.name, 80)}</code>`)}${tools.length > MOST_TOOLS && ' …'}</span></p></div></li>`;

const MOST_TOOLS = 10;

function place(ref: string, id: string, connection: Connection | null): Html {
  if (id === '') return html`<span><bdi>${cut(ref, 120)}</bdi></span>`;
  if (connection === null) return plainState('bad', 'Connection deleted');
  const { account } = connection.auth;
  return html`${connectionState(connection)}<a href="${connectionPath(connection)}"><bdi>${cut(connection.name, 100)}</bdi></a>${account !== null && html`<span><bdi>${cut(account, 100)}</bdi></span>`}`;
}
