import type { ConnectionsDeps } from '#connections/connections/deps.ts';
import { type Handler, json } from '#core/http/operation.ts';
import { shownEndpoints } from './choose.ts';
import type { endpointsContract } from './contract.ts';
import { listEndpoints as readEndpoints } from './endpoints.ts';

/** GET /api/sessions/endpoints */
export const listEndpoints =
  (deps: ConnectionsDeps): Handler<typeof endpointsContract.list> =>
  async ({ caller: { user_id } }) => {
    const items = await shownEndpoints(deps, user_id, await readEndpoints(deps.db, user_id));
    return json({ items, total_count: items.length });
  };
