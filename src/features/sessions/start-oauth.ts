import { type Handler, json } from '../../platform/http/operation.ts';
import { readReturnTo } from '../auth/google/return-to.ts';
import type { oauthContract } from './contract-oauth.ts';
import type { SessionsDeps } from './deps.ts';
import { beginSignIn } from './oauth/begin.ts';
import { browserCookie, browserOf } from './oauth/browser-cookie.ts';
import { usableConnection } from './usable-connection.ts';

/** POST /api/sessions/connections/{id}/oauth/start */
export const startOauth =
  (deps: SessionsDeps): Handler<typeof oauthContract.startOauth> =>
  async ({ params, body, headers, caller }) => {
    const return_to = readReturnTo(body.return_to);
    const connection = await usableConnection(deps.db, { user_id: caller.user_id, id: params.id });
    const browser = browserOf(deps.base_url, headers);
    const begun = await beginSignIn(deps, connection, { browser, return_to });
    return json(begun, { headers: { 'set-cookie': browserCookie(deps.base_url, browser, caller.user_id) } });
  };
