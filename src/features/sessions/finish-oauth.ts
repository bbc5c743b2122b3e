import { preferredType } from '../../platform/http/accept.ts';
import { type Handler, type Input, json, type Reply } from '../../platform/http/operation.ts';
import { Problem } from '../../platform/problem.ts';
import { absoluteReturn } from '../auth/google/return-to.ts';
import type { Connection } from './connection.ts';
import type { oauthContract } from './contract-oauth.ts';
import type { SessionsDeps } from './deps.ts';
import { readBrowser } from './oauth/browser-cookie.ts';
import { finishSignIn } from './oauth/finish.ts';
import { type Flow, takeFlow } from './oauth/flows.ts';
import { outcomePage } from './oauth/outcome-page.ts';
import { otherUser } from './oauth/problems.ts';

type Finish = Handler<typeof oauthContract.finishOauth>;

/** GET /api/sessions/oauth/callback */
export const finishOauth =
  (deps: SessionsDeps): Finish =>
  async ({ query, headers, origin }) => {
    const browser = readBrowser(deps.base_url, headers);
    let flow: Flow | undefined;
    try {
      const now_ms = deps.clock.now();
      const taken = await takeFlow(deps.db, deps.keys, {
        state: query.state,
        browser: browser?.random ?? null,
        now_ms,
      });
      // Where they go on to is the other user's own matter.
      if (browser?.isOf(taken.user_id) !== true || !(await isTheirs(deps, headers, taken))) throw otherUser();
      flow = taken;
      const connection = await finishSignIn(deps, flow, query, origin);
      await lookAnew(deps, connection);
      return answer(deps, headers, flow, { connection, problem: null });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return answer(deps, headers, flow, { connection: null, problem: error });
    }
  };

/** Somebody else signed in on our pages here: what they allow at the server would be another's. */
async function isTheirs({ pageUser }: SessionsDeps, headers: Input['headers'], { user_id }: Flow): Promise<boolean> {
  const here = await pageUser(headers);
  return here === null || here === user_id;
}

/** The sign-in stands whatever the server says to its first call. */
async function lookAnew({ probe, log }: SessionsDeps, connection: Connection): Promise<void> {
  await probe(connection).catch((error: unknown) =>
    log.warn({ err: error, connection_id: connection.id }, 'a connection could not be looked at after its sign-in'),
  );
}

export type Outcome = { connection: Connection; problem: null } | { connection: null; problem: Problem };

/** The address bar holds the code, used up as it is: neither caches nor the next page's referrer get it. */
const PRIVATE = { cache_control: 'no-store' };
const HEADERS = { 'referrer-policy': 'no-referrer', vary: 'accept' };

function answer(
  { base_url }: SessionsDeps,
  headers: Input['headers'],
  flow: Flow | undefined,
  { connection, problem }: Outcome,
): Reply {
  if (flow !== undefined && flow.return_to !== null) {
    const url = new URL(absoluteReturn(flow.return_to, base_url));
    url.searchParams.set('connection', flow.connection_id);
    url.searchParams.set('oauth', problem === null ? 'connected' : problem.code);
    const location = url.href;
    const empty = { status: 303, media_type: 'text/plain; charset=utf-8', body: '' };
    return { ...empty, ...PRIVATE, headers: { location, ...HEADERS } };
  }
  if (preferredType(headers.accept, ['application/json', 'text/html']) === 'text/html')
    return outcomePage({ name: connection?.name ?? null, problem });
  if (problem !== null) throw problem;
  return json({ status: 'connected', connection_id: connection.id }, { ...PRIVATE, headers: HEADERS });
}
