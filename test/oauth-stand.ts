import type { Connection } from '#connections/connections/connection.ts';
import { findConnectionById, insertConnection } from '#connections/connections/connections.ts';
import { type Clock, systemClock } from '#core/clock/clock.ts';
import { type Account, accountsOf } from './accounts.ts';
import { type Browser, createBrowser } from './fakes/browser.ts';
import { type OAuthFake, startOAuthFake } from './fakes/mcp-oauth.ts';
import type { McpFakeOptions } from './fakes/mcp-server.ts';
import { freePort } from './free-port.ts';
import { newConnection } from './vault-stand.ts';
import { openWorld, type World } from './world.ts';

/** The real app over HTTP, an MCP server with its authorization server, and a browser between them. */
export interface OAuthStand extends AsyncDisposable {
  world: World;
  url: string;
  fake: OAuthFake;
  /** An account with its own connection to the server. */
  newOwner(): Promise<Owner>;
  /** The current connection. */
  look(connection: Connection): Promise<Connection>;
  start(owner: Owner, browser: Browser, body?: object): Promise<Response>;
  /** Begins and goes through the authorization server; answers the callback's address, not opened yet. */
  goThrough(owner: Owner, browser: Browser, body?: object): Promise<string>;
  /** The whole of it. */
  signIn(owner: Owner, browser?: Browser): Promise<Response>;
}

export interface Owner {
  user_id: string;
  api_key: string;
  connection: Connection;
  account: Account;
}

interface OAuthStandOptions extends McpFakeOptions {
  env?: Record<string, string>;
  clock?: Clock;
  /** `quiet` unless given: jobs wait. */
  role?: 'serve' | 'quiet';
}

export async function openOAuthStand({
  env = {},
  clock = systemClock,
  role = 'quiet',
  ...mcp
}: OAuthStandOptions = {}): Promise<OAuthStand> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const callback = `${url}/api/sessions/oauth/callback`;
  const fake = await startOAuthFake(mcp);
  const limits = { CAPSTAN_LIMIT_OAUTH: '10000/1m' };
  const world = await openWorld({ PORT: `${port}`, PUBLIC_URL: url, ...limits, ...env }, role, clock);
  await world.listen();
  const accounts = await accountsOf(world, clock, url);
  const { db } = world.database;
  const start: OAuthStand['start'] = ({ api_key, connection }, browser, body = {}) =>
    browser.send(`${url}/api/sessions/connections/${connection.id}/oauth/start`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${api_key}` },
      body: JSON.stringify(body),
    });
  const goThrough: OAuthStand['goThrough'] = async (owner, browser, body) => {
    const answer = await start(owner, browser, body);
    if (answer.status !== 200) throw new Error(await answer.text());
    const { authorization_url } = (await answer.json()) as { authorization_url: string };
    return (await browser.visit(authorization_url, callback)).url;
  };
  return {
    world,
    url,
    fake,
    start,
    goThrough,
    newOwner: async () => {
      const account = await accounts.signUp();
      const connection = newConnection(account.user.id, { url: fake.mcp.url });
      await insertConnection(db, connection);
      return { user_id: account.user.id, api_key: await account.newApiKey(['read', 'write']), connection, account };
    },
    look: async ({ id }) => (await findConnectionById(db, id)) as Connection,
    signIn: async (owner, browser = createBrowser()) => browser.send(await goThrough(owner, browser)),
    [Symbol.asyncDispose]: async () => {
      await world.close();
      await fake.close();
    },
  };
}
