import { createUser } from '#accounts/users/users.ts';
import { SETTINGS } from '#app/settings.ts';
import { beginSignIn } from '#connections/authorization/begin.ts';
import { finishSignIn } from '#connections/authorization/finish-flow.ts';
import { takeFlow } from '#connections/authorization/flows.ts';
import { openOAuth } from '#connections/authorization/oauth.ts';
import type { ConnectionsBase } from '#connections/connections/base.ts';
import type { Connection } from '#connections/connections/connection.ts';
import { findConnectionById, insertConnection } from '#connections/connections/connections.ts';
import type { Challenge, OAuth } from '#connections/connections/seams.ts';
import { type Clock, isoTime, systemClock } from '#core/clock/clock.ts';
import { readConfig } from '#core/config/config.ts';
import type { KeyProvider } from '#core/crypto/secret-keys.ts';
import type { Database } from '#core/db/open.ts';
import { createLog } from '#core/log.ts';
import { type McpWork, withMcpSession } from '#core/mcp/session.ts';
import type { RemoteTarget } from '#core/mcp/target.ts';
import { createOutbound, type OutboundFetch } from '#core/outbound/outbound.ts';
import { newConnection } from './vault-stand.ts';

/** Calls of tools behind OAuth without the rest of the app: one of these stands for one process. */
interface OAuthCalls {
  base: ConnectionsBase;
  /** What came of refreshes. */
  refreshes: string[];
  oauth: OAuth;
  /** A connection of a new user, signed in. */
  newConnection(url: string): Promise<Connection>;
  signIn(connection: Connection): Promise<Connection>;
  look(connection: Connection): Promise<Connection>;
  use(connection: Connection, use: Use): Promise<'done' | 'sign_in'>;
  /** The result's text, as a call of a tool has it; throws where it fails. */
  call(connection: Connection, tool: string): Promise<string>;
  close(): Promise<void>;
}

interface OAuthCallsOptions {
  database: Database;
  keys: KeyProvider;
  clock?: Clock;
  base_url?: string;
  /** Takes https only, also of loopback. */
  production?: boolean;
  oauth_clients?: ConnectionsBase['config']['oauth_clients'];
}

const BASE_URL = 'http://127.0.0.1:8080';
const LIMITS = { timeout_ms: 20_000, max_bytes: 1024 * 1024 };

export function openOAuthCalls(options: OAuthCallsOptions): OAuthCalls {
  const { database, keys, clock = systemClock, base_url = BASE_URL, oauth_clients = [], production = false } = options;
  const outbound = createOutbound({ allow_loopback: true, user_agent: 'test' });
  const { db } = database;
  const refreshes: string[] = [];
  const base = {
    database,
    db,
    keys,
    clock,
    base_url,
    log: createLog('silent'),
    production,
    countRefresh: (outcome: string) => void refreshes.push(outcome),
    fetch: outbound.fetch,
    config: { ...readConfig(SETTINGS, {}).connections, oauth_clients },
  } as unknown as ConnectionsBase;
  const oauth = openOAuth(base);
  const vault = {
    open: async ({ url }: Connection) => ({ url, headers: {}, package: null, version: '0', secrets: [] }),
  };
  const signIn = async (connection: Connection) => {
    const browser = 'a browser';
    const { authorization_url } = await beginSignIn({ ...base, vault }, connection, { browser, return_to: null });
    const answer = await fetch(authorization_url, { redirect: 'manual' });
    const query = new URL(answer.headers.get('location') ?? '').searchParams;
    const state = query.get('state') ?? '';
    const flow = await takeFlow(db, keys, { state, browser, now_ms: clock.now() });
    return finishSignIn(base, flow, Object.fromEntries(query));
  };
  return {
    refreshes,
    base,
    oauth,
    signIn,
    newConnection: async (url) => {
      const user = await createUser(db, 'Ada', isoTime(clock.now()));
      const connection = newConnection(user.id, { url });
      await insertConnection(db, connection);
      return signIn(connection);
    },
    look: async ({ id }) => (await findConnectionById(db, id)) as Connection,
    use: (connection, action) => use(base.fetch, oauth, connection, action),
    call: async (connection, tool) => {
      let text = '';
      const work = callOf(tool, (answer) => {
        text = answer;
      });
      if ((await use(base.fetch, oauth, connection, { work })) === 'sign_in') throw new Error('sign in');
      return text;
    },
    close: () => outbound.close(),
  };
}

interface Use {
  work: McpWork<void>;
  elicit?: RemoteTarget['elicit'];
}

/** As a call of a tool does it: with a token where the connection has one, and once more where another one is there. */
async function use(
  fetch: OutboundFetch,
  oauth: OAuth,
  connection: Connection,
  { work, elicit }: Use,
): Promise<'done' | 'sign_in'> {
  for (let tries = 0; ; tries++) {
    const held = connection.auth.type === 'oauth' ? await oauth.accessToken(connection) : null;
    let refused: Challenge | undefined;
    const listening: OutboundFetch = async (url, init) => {
      const answer = await fetch(url, init);
      const { status } = answer;
      const www_authenticate = answer.headers.get('www-authenticate');
      if (status === 401 || status === 403) refused ??= { status, www_authenticate, version: held?.version ?? null };
      return answer;
    };
    const headers = held === null ? {} : { authorization: `Bearer ${held.token}` };
    const { url, transport } = connection;
    if (transport === 'stdio') throw new Error('not a remote');
    const done = await withMcpSession(listening, { url, transport, headers, elicit }, LIMITS, null, work);
    if (done.ok) return 'done';
    if (refused === undefined || tries > 0) throw new Error(done.failure.detail);
    if (held === null || (await oauth.refreshOrRequire(connection, refused)) === 'sign_in') return 'sign_in';
  }
}

const callOf =
  (name: string, keep: (text: string) => void): McpWork<void> =>
  async (session) => {
    const tool = { name, inputSchema: { type: 'object' as const } };
    keep(JSON.stringify((await session.callTool({ tool, arguments: {} })).content));
  };
