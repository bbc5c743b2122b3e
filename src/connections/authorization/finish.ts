import { absoluteReturn } from '#accounts/google/return-to.ts';
import type { Connection } from '#connections/connections/connection.ts';
import type { ConnectionsDeps } from '#connections/connections/deps.ts';
import type { Handler, Input, Reply } from '#core/http/operation.ts';
import { Problem } from '#core/problem/problem.ts';
import { readBrowser } from './browser-cookie.ts';
import type { authorizationContract } from './contract.ts';
import { finishSignIn } from './finish-flow.ts';
import { type Flow, findReturn, takeFlow } from './flows.ts';
import { isLoopback } from './loopback.ts';
import { otherUser } from './problems.ts';

type Finish = Handler<typeof authorizationContract.finish>;

/** GET /api/sessions/oauth/callback */
export const finishOauth =
  (deps: ConnectionsDeps): Finish =>
  async ({ query, headers, origin }) => {
    const known = await findReturn(deps.db, query.state);
    if (known?.return_to != null && isLoopback(known.return_to)) return toProgram(known.return_to, query);
    const browser = readBrowser(deps.base_url, headers);
    let flow: Flow | undefined;
    try {
      const now_ms = deps.clock.now();
      const taken = await takeFlow(deps.db, deps.keys, {
        state: query.state,
        browser: browser?.random ?? null,
        now_ms,
      });
      // The other user continues on their own.
      if (browser?.isOf(taken.user_id) !== true || !(await isTheirs(deps, headers, taken))) throw otherUser();
      flow = taken;
      const signed = await finishSignIn(deps, flow, query, origin);
      await lookAnew(deps, signed);
      return toPage(deps, flow, signed.auth.previous_account === undefined ? 'connected' : 'other_account');
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return toPage(deps, flow, error.code);
    }
  };

/** If another user is signed in on our pages, they would grant access to their account at the server. */
async function isTheirs({ pageUser }: ConnectionsDeps, headers: Input['headers'], { user_id }: Flow): Promise<boolean> {
  const here = await pageUser(headers);
  return here === null || here === user_id;
}

/**
 * Returns the connection in its new state. The authorization stays valid whatever the server answers to its first call.
 */
export async function lookAnew({ probe, log }: ConnectionsDeps, connection: Connection): Promise<Connection> {
  return probe(connection).catch((error: unknown) => {
    log.warn({ err: error, connection_id: connection.id }, 'failed to check a connection after authorization');
    return connection;
  });
}

const CONNECTIONS = '/dashboard/connections';

/**
 * Redirects to `return_to`, or to the connection's page, with the result in the query. A foreign flow leads to neither.
 */
function toPage({ base_url }: ConnectionsDeps, flow: Flow | undefined, outcome: string): Reply {
  const path = flow === undefined ? CONNECTIONS : (flow.return_to ?? `${CONNECTIONS}/${flow.connection_id}`);
  const url = new URL(absoluteReturn(path, base_url));
  if (flow !== undefined) url.searchParams.set('connection', flow.connection_id);
  url.searchParams.set('oauth', outcome);
  return redirect(url.href);
}

/** Redirects the authorization server's response to the waiting program; only its user's token can use it. */
function toProgram(returnTo: string, { state, code, iss, error }: Parameters<Finish>[0]['query']): Reply {
  const url = new URL(returnTo);
  for (const [name, value] of Object.entries({ state, code, iss, error }))
    if (value !== undefined) url.searchParams.set(name, value);
  return redirect(url.href);
}

/** The URL contained the code: neither caches nor the next page's referrer may get it. */
const redirect = (location: string): Reply => ({
  status: 303,
  media_type: 'text/plain; charset=utf-8',
  body: '',
  cache_control: 'no-store',
  headers: { location, 'referrer-policy': 'no-referrer' },
});
