import { sendRegistration } from '#accounts/email/new-account.ts';
import type { PageDeps } from '#accounts/oauth/deps.ts';
import type { Handler } from '#core/http/operation.ts';
import { shareOf } from '#core/http/share-of.ts';
import { Problem } from '#core/problem/problem.ts';
import type { consentContract } from './contract.ts';
import { wantsPage } from './page/frame.ts';
import { ENTERING, showSignIn, withForm } from './pages.ts';

/** POST /oauth/register/email. Shows the sign-in page again with the next step or the error. */
export const registerOnPage =
  (deps: PageDeps): Handler<typeof consentContract.register> =>
  ({ body, caller, address, headers }) =>
    withForm(deps, headers, body, ENTERING, async ({ request }) => {
      const { email, password } = body;
      try {
        await sendRegistration(deps.email, address, { email, password }, shareOf({ caller, address }));
        return showSignIn(deps, headers, request, { registered: email });
      } catch (error) {
        if (!(error instanceof Problem) || !wantsPage(headers)) throw error;
        return showSignIn(deps, headers, request, { failed: { problem: error, email, to_register: true } });
      }
    });
