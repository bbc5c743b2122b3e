import { beginFlow } from '#accounts/google/begin.ts';
import type { PageDeps } from '#accounts/oauth/deps.ts';
import type { Handler } from '#core/http/operation.ts';
import { Problem } from '#core/problem/problem.ts';
import type { consentContract } from './contract.ts';
import { seeOther, wantsPage } from './page/frame.ts';
import { authorizePath, ENTERING, showSignIn, withForm } from './pages.ts';

/** POST /oauth/sign-in/google. The callback sets the cookie and returns to the page. */
export const signInWithGoogle =
  (deps: PageDeps): Handler<typeof consentContract.signInWithGoogle> =>
  ({ body, headers }) =>
    withForm(deps, headers, body, ENTERING, async ({ request }) => {
      const flow = { user_id: null, return_to: authorizePath(request) };
      try {
        const { authorization_url, cookie } = await beginFlow(deps.google, headers, flow);
        return seeOther(authorization_url, { 'set-cookie': cookie });
      } catch (error) {
        if (!(error instanceof Problem) || !wantsPage(headers)) throw error;
        return showSignIn(deps, headers, request, { failed: { problem: error } });
      }
    });
