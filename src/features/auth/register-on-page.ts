import type { Handler } from '../../platform/http/operation.ts';
import { shareOf } from '../../platform/http/share-of.ts';
import { Problem } from '../../platform/problem.ts';
import type { PageDeps } from './authorization/deps.ts';
import { wantsPage } from './authorization/page/frame.ts';
import { ENTERING, showSignIn, withForm } from './authorization/pages.ts';
import type { authorizationPageOperations } from './contract-authorization.ts';
import { sendRegistration } from './email/register.ts';

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
