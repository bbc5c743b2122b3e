import { addCode } from '#accounts/oauth/codes.ts';
import type { AuthorizationDeps } from '#accounts/oauth/deps.ts';
import type { AuthorizationRequest } from '#accounts/oauth/request.ts';
import { recordAudit } from '#core/audit/audit.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { Handler, Origin } from '#core/http/operation.ts';
import type { consentContract } from './contract.ts';
import type { PageSession } from './page-session.ts';
import { answerTo, deciding, goOn, scopesFor, showConsent, withForm } from './pages.ts';

/** POST /oauth/authorize */
export const decideAuthorization =
  (deps: AuthorizationDeps): Handler<typeof consentContract.decide> =>
  ({ body, headers, origin }) =>
    withForm(deps, headers, body, deciding, async ({ request, session }) => {
      // The user signed out in the meantime.
      if (session === null) return goOn(deps, request, {});
      if (body.decision === 'deny') {
        deps.count('denied');
        return answerTo(deps, request, { error: 'access_denied', error_description: 'the user denied access' });
      }
      if (scopesFor(request, session).length === 0) return showConsent(deps, headers, request, session);
      deps.count('allowed');
      return answerTo(deps, request, { code: await codeFor(deps, request, session, origin) });
    });

function codeFor(
  { database, clock }: AuthorizationDeps,
  request: AuthorizationRequest,
  { user, sign_in }: PageSession,
  origin: Origin,
): Promise<string> {
  const { client, redirect_uri, code_challenge, resource } = request;
  const scope = scopesFor(request, { user, sign_in }).join(' ');
  return database.db.transaction().execute(async (trx) => {
    const code = await addCode(
      { ...database, db: trx },
      {
        user_id: user.id,
        page_sign_in_id: sign_in.id,
        client_id: client.id,
        client_name: client.name,
        redirect_uri,
        code_challenge,
        resource,
        scope,
      },
      clock.now(),
    );
    const entry = { actor: user.id, origin, action: 'auth.let_client_in', target: client.id } as const;
    await recordAudit(trx, { ...entry, detail: { scope, resource } }, isoTime(clock.now()));
    return code;
  });
}
