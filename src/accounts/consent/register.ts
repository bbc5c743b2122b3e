import type { Handler } from '#core/http/operation.ts';
import { shareOf } from '#core/http/share-of.ts';
import { Problem } from '#core/problem/problem.ts';
import type { PageDeps } from '#accounts/oauth/deps.ts';
import { wantsPage } from './page/frame.ts';
import { ENTERING, showSignIn, withForm } from './pages.ts';
import type { authorizationPageOperations } from './contract.ts';
import { sendRegistration } from '#accounts/email/new-account.ts';

/** POST /oauth/register/email. The sign-in page again, which says what to do next or what is wrong. */
export const registerOnPage =
  (deps: PageDeps): Handler<typeof authorizationPageOperations.registerOnPage> =>
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
