import { type Handler, json } from '#core/http/operation.ts';
import { endClientSession } from './client-sessions.ts';
import type { oauthContract } from './contract.ts';
import type { AuthorizationDeps } from './deps.ts';

/** POST /oauth/revoke. The response does not depend on the token (RFC 7009). */
export const revokeToken =
  (deps: AuthorizationDeps): Handler<typeof oauthContract.revokeToken> =>
  async ({ body: { token, client_id }, origin }) => {
    await endClientSession(deps, { token, client_id, origin });
    return json({});
  };
