import { pageCookie } from '#accounts/auth/page-cookie.ts';
import type { NewSignIn } from '#accounts/auth/signed-in.ts';
import { pageWithProblem } from '#accounts/consent/page/return-problem.ts';
import { findGoogleAccount } from '#accounts/users/identities.ts';
import type { By } from '#core/audit/audit.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { GoogleFlowRow } from '#core/db/schema-identity.ts';
import { type Handler, type Input, json, type Reply } from '#core/http/operation.ts';
import { Problem } from '#core/problem/problem.ts';
import { linkTo, userOf } from './account.ts';
import { type GoogleDeps, redirectUri } from './begin.ts';
import { readBrowser } from './browser-cookie.ts';
import type { googleContract } from './contract.ts';
import { takeFlow } from './flows.ts';
import type { GoogleIdentity } from './issuer.ts';
import { absoluteReturn } from './return-to.ts';

/** The URL contains the used code: neither caches nor the next page's referrer may get it. */
const PRIVATE = { cache_control: 'no-store' };
const HEADERS = { 'referrer-policy': 'no-referrer' };

/** GET /api/auth/google/callback */
export const finishGoogle =
  (deps: GoogleDeps): Handler<typeof googleContract.finish> =>
  async ({ query, headers, origin }) => {
    const { database, clock, issuer, base_url } = deps;
    issuer.requireConfigured();
    const flow = await takeFlow(database.db, query.state, readBrowser(deps.base_url, headers), clock.now());
    // Passes only parameters that the standards define.
    const callback = new URL(`${redirectUri(base_url)}?${new URLSearchParams(query)}`);
    try {
      const google = await issuer.identify(callback, { ...flow, state: query.state });
      return await (flow.user_id === null
        ? signIn(deps, flow, google, { headers, origin })
        : link(deps, flow, { actor: flow.user_id, origin }, google));
    } catch (error) {
      // The flow started on our own page, which shows the error.
      const page = error instanceof Problem ? pageWithProblem(flow.return_to, error) : null;
      if (page === null) throw error;
      return goTo(deps, page, {});
    }
  };

async function signIn(
  deps: GoogleDeps,
  { return_to }: GoogleFlowRow,
  google: GoogleIdentity,
  { headers, origin }: Pick<Input, 'headers' | 'origin'>,
): Promise<Reply> {
  const user = await userOf(deps.database.db, google, isoTime(deps.clock.now()));
  const user_agent = `${headers['user-agent'] ?? ''}`;
  const stillLeads: NewSignIn['stillLeads'] = async (trx) =>
    (await findGoogleAccount(trx, google.subject))?.user_id === user.id;
  const signed = await deps.startSignIn({ user, method: 'google', wallet: null, user_agent, origin, stillLeads });
  return return_to === null
    ? json(signed, { ...PRIVATE, headers: HEADERS })
    : goTo(deps, return_to, { 'set-cookie': pageCookie(deps.base_url, signed) });
}

async function link(deps: GoogleDeps, { return_to }: GoogleFlowRow, by: By, google: GoogleIdentity): Promise<Reply> {
  const { email, linked_at } = await linkTo(deps.database.db, by, google, isoTime(deps.clock.now()));
  return return_to === null
    ? json({ status: 'linked', google: { email, linked_at } }, { ...PRIVATE, headers: HEADERS })
    : goTo(deps, return_to, {});
}

const goTo = ({ base_url }: GoogleDeps, returnTo: string, headers: Record<string, string>): Reply => ({
  status: 303,
  media_type: 'text/plain; charset=utf-8',
  body: '',
  headers: { location: absoluteReturn(returnTo, base_url), ...HEADERS, ...headers },
  ...PRIVATE,
});
