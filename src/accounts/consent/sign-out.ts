import { ownCookie, PAGE_COOKIE } from '#accounts/auth/page-cookie.ts';
import type { AuthorizationDeps } from '#accounts/oauth/deps.ts';
import { revokeSignIn } from '#accounts/sign-ins/sign-ins.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { Handler } from '#core/http/operation.ts';
import type { consentContract } from './contract.ts';
import { deciding, goOn, withForm } from './pages.ts';

/** POST /oauth/sign-out. To sign in as another user or with another account. */
export const leavePage =
  (deps: AuthorizationDeps): Handler<typeof consentContract.signOut> =>
  ({ body, headers }) =>
    withForm(deps, headers, body, deciding, async ({ request, session }) => {
      const { database, clock } = deps;
      if (session !== null) await revokeSignIn(database.db, session.user.id, session.sign_in.id, isoTime(clock.now()));
      return goOn(deps, request, { 'set-cookie': ownCookie(deps.base_url, PAGE_COOKIE, '', 0) });
    });
