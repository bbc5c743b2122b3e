import type { Connection } from '../src/features/sessions/connection.ts';
import { findConnectionById, insertConnection } from '../src/features/sessions/connections.ts';
import type { SessionsBase } from '../src/features/sessions/deps.ts';
import { beginSignIn } from '../src/features/sessions/oauth/begin.ts';
import { finishSignIn } from '../src/features/sessions/oauth/finish.ts';
import { takeFlow } from '../src/features/sessions/oauth/flows.ts';
import { openOAuth } from '../src/features/sessions/oauth.ts';
import type { OAuth } from '../src/features/sessions/seams.ts';
import { createUser } from '../src/features/users/users.ts';
import { type Clock, isoTime, systemClock } from '../src/platform/clock.ts';
import { readConfig } from '../src/platform/config.ts';
import type { KeyProvider } from '../src/platform/crypto/secret-keys.ts';
import type { Database } from '../src/platform/db/open.ts';
import { createLog } from '../src/platform/log.ts';
import { withMcpSession } from '../src/platform/mcp/session.ts';
import { createOutbound, type OutboundFetch } from '../src/platform/outbound.ts';
import { SETTINGS } from '../src/settings.ts';
import { newConnection } from './vault-stand.ts';

/** Calls of tools behind OAuth without the rest of the app: one of these stands for one process. */
export interface OAuthCalls {
  base: SessionsBase;
  oauth: OAuth;
  /** A connection of a new user, signed in. */
  newConnection(url: string): Promise<Connection>;
  signIn(connection: Connection): Promise<Connection>;
  look(connection: Connection): Promise<Connection>;
  /** The result's text, as a call of a tool has it; throws where it fails. */
  call(connection: Connection, tool: string): Promise<string>;
  close(): Promise<void>;
}

export interface OAuthCallsOptions {
  database: Database;
  keys: KeyProvider;
  clock?: Clock;
  base_url?: string;
  oauth_clients?: SessionsBase['config']['oauth_clients'];
}

const BASE_URL = 'http://127.0.0.1:8080';
const LIMITS = { timeout_ms: 20_000, max_bytes: 1024 * 1024 };

export function openOAuthCalls(options: OAuthCallsOptions): OAuthCalls {
  const { database, keys, clock = systemClock, base_url = BASE_URL, oauth_clients = [] } = options;
  const outbound = createOutbound({ allow_loopback: true, user_agent: 'test' });
  const { db } = database;
  const base = {
    ...{ database, db, keys, clock, base_url, log: createLog('silent'), production: false },
    ...{ fetch: outbound.fetch, config: { ...readConfig(SETTINGS, {}).sessions, oauth_clients } },
  } as unknown as SessionsBase;
  const oauth = openOAuth(base);
  const vault = { open: async ({ url }: Connection) => ({ url, headers: {}, version: '0' }) };
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
    ...{ base, oauth, signIn },
    newConnection: async (url) => {
      const user = await createUser(db, 'Ada', isoTime(clock.now()));
      const connection = newConnection(user.id, { url });
      await insertConnection(db, connection);
      return signIn(connection);
    },
    look: async ({ id }) => (await findConnectionById(db, id)) as Connection,
    call: (connection, tool) => callTool(base.fetch, oauth, connection, tool),
    close: () => outbound.close(),
  };
}

async function callTool(fetch: OutboundFetch, oauth: OAuth, connection: Connection, name: string): Promise<string> {
  for (let tries = 0; ; tries++) {
    const { token, version } = await oauth.accessToken(connection);
    let challenge: { status: 401 | 403; www_authenticate: string | null; version: string } | undefined;
    const listening: OutboundFetch = async (url, init) => {
      const answer = await fetch(url, init);
      const { status } = answer;
      if (status === 401 || status === 403)
        challenge ??= { status, version, www_authenticate: answer.headers.get('www-authenticate') };
      return answer;
    };
    const target = {
      url: connection.url,
      transport: connection.transport,
      headers: { authorization: `Bearer ${token}` },
    };
    const done = await withMcpSession(listening, target, LIMITS, null, (session) =>
      session.callTool({ tool: { name, inputSchema: { type: 'object' } }, arguments: {} }),
    );
    if (done.ok) return JSON.stringify(done.value.content);
    if (challenge === undefined || tries > 0) throw new Error(done.failure.detail);
    if ((await oauth.refreshOrRequire(connection, challenge)) === 'sign_in') throw new Error('sign in');
  }
}
