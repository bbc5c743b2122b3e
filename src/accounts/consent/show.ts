import type { AuthorizationDeps } from '#accounts/oauth/deps.ts';
import type { Handler } from '#core/http/operation.ts';
import type { consentContract } from './contract.ts';
import { broughtBack } from './page/return-problem.ts';
import { showConsent, showSignIn, withRequest } from './pages.ts';

/** GET /oauth/authorize. A signed-in user is asked each time: consents are not remembered. */
export const showAuthorization =
  (deps: AuthorizationDeps): Handler<typeof consentContract.show> =>
  ({ query, headers }) =>
    withRequest(deps, headers, query, async ({ request, session }) =>
      session === null
        ? showSignIn(deps, headers, request, failed(query))
        : showConsent(deps, headers, request, session),
    );

function failed({ problem: code }: { problem?: string }) {
  const problem = broughtBack(code);
  return problem === null ? {} : { failed: { problem } };
}
