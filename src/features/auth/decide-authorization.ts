import type { Handler } from '../../platform/http/operation.ts';
import { addCode } from './authorization/codes.ts';
import type { AuthorizationDeps } from './authorization/deps.ts';
import type { PageSession } from './authorization/page-session.ts';
import { answerTo, deciding, goOn, scopesFor, showConsent, withForm } from './authorization/pages.ts';
import type { AuthorizationRequest } from './authorization/request.ts';
import type { authorizationPageOperations } from './contract-authorization.ts';

/** POST /oauth/authorize */
export const decideAuthorization =
  (deps: AuthorizationDeps): Handler<typeof authorizationPageOperations.decideAuthorization> =>
  ({ body, headers }) =>
    withForm(deps, headers, body, deciding, async ({ request, session }) => {
      // Signed out meanwhile.
      if (session === null) return goOn(deps, request, {});
      if (body.decision === 'deny') {
        deps.count('denied');
        return answerTo(deps, request, { error: 'access_denied', error_description: 'the user said no' });
      }
      if (scopesFor(request, session).length === 0) return showConsent(deps, headers, request, session);
      deps.count('allowed');
      return answerTo(deps, request, { code: await codeFor(deps, request, session) });
    });

const codeFor = (
  { database, clock }: AuthorizationDeps,
  request: AuthorizationRequest,
  session: PageSession,
): Promise<string> => {
  const { client, redirect_uri, code_challenge, resource } = request;
  return addCode(
    database,
    {
      ...{ user_id: session.user.id, page_sign_in_id: session.sign_in.id },
      ...{ client_id: client.id, client_name: client.name, redirect_uri, code_challenge, resource },
      scope: scopesFor(request, session).join(' '),
    },
    clock.now(),
  );
};
