import type { ConnectionsDeps } from '#connections/connections/deps.ts';
import { usableConnection } from '#connections/connections/usable-connection.ts';
import { type Handler, json } from '#core/http/operation.ts';
import { beginSignIn } from './begin.ts';
import { browserCookie, browserOf } from './browser-cookie.ts';
import type { authorizationContract } from './contract.ts';
import { isLoopback, programOf, readReturn } from './loopback.ts';

/** POST /api/sessions/connections/{id}/oauth/start */
export const startOauth =
  (deps: ConnectionsDeps): Handler<typeof authorizationContract.start> =>
  async ({ params, body, headers, caller }) => {
    const return_to = readReturn(body.return_to);
    const connection = await usableConnection(deps.db, { user_id: caller.user_id, id: params.id });
    if (return_to !== null && isLoopback(return_to)) {
      const program = programOf({ user_id: caller.user_id, connection_id: connection.id });
      return json(await beginSignIn(deps, connection, { browser: program, return_to }));
    }
    const browser = browserOf(deps.base_url, headers);
    const begun = await beginSignIn(deps, connection, { browser, return_to });
    return json(begun, { headers: { 'set-cookie': browserCookie(deps.base_url, browser, caller.user_id) } });
  };
