import { deviceCookies, pageCookie, readDeviceCookie } from '#accounts/auth/page-cookie.ts';
import { signInByEmail } from '#accounts/email/sign-in.ts';
import type { PageDeps } from '#accounts/oauth/deps.ts';
import type { Handler } from '#core/http/operation.ts';
import { Problem } from '#core/problem/problem.ts';
import type { consentContract } from './contract.ts';
import { wantsPage } from './page/frame.ts';
import { ENTERING, goOn, showSignIn, withForm } from './pages.ts';

/** POST /oauth/sign-in/email. Errors are shown on the same page. */
export const signInWithEmail =
  (deps: PageDeps): Handler<typeof consentContract.signInWithEmail> =>
  ({ body, headers, origin }) =>
    withForm(deps, headers, body, ENTERING, async ({ request }) => {
      const { email, password } = body;
      try {
        const user_agent = `${headers['user-agent'] ?? ''}`;
        const device_token = readDeviceCookie(deps.base_url, headers);
        const given = { email, password, user_agent, origin, device_token, remember_device: true };
        const signedIn = await signInByEmail(deps.email, given);
        return goOn(deps, request, {}, [
          pageCookie(deps.base_url, signedIn),
          ...deviceCookies(deps.base_url, signedIn.device_token),
        ]);
      } catch (error) {
        if (!(error instanceof Problem) || !wantsPage(headers)) throw error;
        return showSignIn(deps, headers, request, { failed: { problem: error, email } });
      }
    });
