import { insertConnection } from '#connections/connections/connections.ts';
import { type Clock, systemClock } from '#core/clock/clock.ts';
import type { Account } from './accounts.ts';
import { type OAuthStand, type Owner, openOAuthStand } from './oauth-stand.ts';
import { BROWSER } from './pages-stand.ts';
import { newConnection } from './vault-stand.ts';

/** The sign-in and the dashboard over HTTP, with an MCP server behind OAuth, asked as a browser asks. */

/** Hostile names. */
export const HOSTILE_NAME = '<script>alert(1)</script>"\'><img src=x onerror=alert(2)>';

/** Signed in, each once. */
export const OWN_PATHS: readonly string[] = [
  '',
  '/tasks',
  '/tasks?status=failed',
  '/connections',
  '/connections?listing=smithery%2Fforecasts',
  '/calls',
  '/endpoints',
  '/harnesses',
  '/harnesses/mine',
  '/harnesses/mine?done=rig_stored',
  '/harnesses/mine/memory/style/tense.md?new=1',
  '/rigs',
  '/publishing',
  '/keys',
  '/sessions',
  '/account',
].map((path) => `/dashboard${path}`);

/** Signed out. */
export const GATE_PATHS: readonly string[] = [
  '/signin',
  '/signin?to=/dashboard/keys&done=signed_out',
  '/signin/register',
  '/signin/password',
  '/signin/link',
  '/auth/email',
];

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

export interface OwnPagesStand extends AsyncDisposable {
  oauth: OAuthStand;
  url: string;
  account: Account;
  /** The same, with a connection that can be signed in. */
  owner: Owner;
  /** Path of a connection to the MCP server, under a hostile name. */
  connection: string;
  open(path: string, token?: string): Promise<{ status: number; headers: Headers; html: string }>;
  /** A form of a page of ours; `more` changes what the browser says of itself. */
  send(path: string, fields: Record<string, string>, token?: string, more?: Record<string, string>): Promise<Response>;
  /** As the page's script leaves it in a form. */
  stepUp(request?: string, account?: Account): Promise<Record<string, string>>;
}

export async function openOwnPagesStand(
  clock: Clock = systemClock,
  role: 'serve' | 'quiet' = 'quiet',
): Promise<OwnPagesStand> {
  const oauth = await openOAuthStand({ clock, role });
  // Nothing is published before what it is named like can be looked up.
  await oauth.world.catalog.ready;
  const { url, world } = oauth;
  const owner = await oauth.newOwner();
  const { account } = owner;
  const HOST = { accept: BROWSER, host: new URL(url).host };
  const made = newConnection(account.user.id, { url: oauth.fake.mcp.url, name: HOSTILE_NAME });
  await insertConnection(world.database.db, made);
  const cookie = (token?: string) => (token === undefined ? {} : { cookie: `capstan-token=${token}` });
  return {
    oauth,
    url,
    account,
    owner,
    connection: `/dashboard/connections/${made.id}`,
    open: async (path, token) => {
      const answer = await world.fetch(path, { headers: { ...HOST, ...cookie(token) } });
      return { status: answer.status, headers: answer.headers, html: await answer.text() };
    },
    send: (path, fields, token, more = {}) =>
      world.fetch(path, {
        method: 'POST',
        body: `${new URLSearchParams(fields)}`,
        headers: { ...HOST, ...FORM, origin: url, ...cookie(token), ...more },
      }),
    stepUp: async (request, signer = account) => {
      const { 'x-challenge-id': id = '', 'x-wallet-signature': signature = '' } = await signer.stepUp(request);
      return { 'step.challenge_id': id, 'step.signature': signature };
    },
    [Symbol.asyncDispose]: () => oauth[Symbol.asyncDispose](),
  };
}
