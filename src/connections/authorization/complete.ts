import { shownConnection } from '#connections/connections/connection.ts';
import type { ConnectionsDeps } from '#connections/connections/deps.ts';
import { usableConnection } from '#connections/connections/usable-connection.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { authorizationContract } from './contract.ts';
import { lookAnew } from './finish.ts';
import { finishSignIn } from './finish-flow.ts';
import { takeFlow } from './flows.ts';
import { programOf } from './loopback.ts';

/** POST /api/sessions/connections/{id}/oauth/complete */
export const completeOauth =
  (deps: ConnectionsDeps): Handler<typeof authorizationContract.complete> =>
  async ({ params: { id }, body: { state, ...callback }, caller: { user_id }, origin }) => {
    await usableConnection(deps.db, { user_id, id });
    const browser = programOf({ user_id, connection_id: id });
    const flow = await takeFlow(deps.db, deps.keys, { state, browser, now_ms: deps.clock.now() });
    const connection = await finishSignIn(deps, flow, callback, origin);
    return json(shownConnection(await lookAnew(deps, connection)), { cache_control: 'no-store' });
  };
