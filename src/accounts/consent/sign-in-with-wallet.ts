import { pageCookie } from '#accounts/auth/page-cookie.ts';
import type { PageDeps } from '#accounts/oauth/deps.ts';
import { signInByWallet } from '#accounts/wallets/sign-in.ts';
import type { Handler } from '#core/http/operation.ts';
import { Problem } from '#core/problem/problem.ts';
import type { consentContract } from './contract.ts';
import { wantsPage } from './page/frame.ts';
import { ENTERING, goOn, showSignIn, withForm } from './pages.ts';

/** POST /oauth/sign-in/wallet: the page's script requested the challenge and the signature. */
export const signInWithWallet =
  (deps: PageDeps): Handler<typeof consentContract.signInWithWallet> =>
  ({ body, headers, origin }) =>
    withForm(deps, headers, body, ENTERING, async ({ request }) => {
      const { challenge_id, signature } = body;
      const user_agent = `${headers['user-agent'] ?? ''}`;
      try {
        const signedIn = await signInByWallet(deps, { challenge_id, signature }, { user_agent, origin });
        return goOn(deps, request, { 'set-cookie': pageCookie(deps.base_url, signedIn) });
      } catch (error) {
        if (!(error instanceof Problem) || !wantsPage(headers)) throw error;
        return showSignIn(deps, headers, request, { failed: { problem: error } });
      }
    });
