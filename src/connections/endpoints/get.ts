import type { ConnectionsDeps } from '#connections/connections/deps.ts';
import { type Handler, json } from '#core/http/operation.ts';
import { noSuchEndpoint, shownEndpoint } from './choose.ts';
import type { endpointsContract } from './contract.ts';
import { findEndpoint } from './endpoints.ts';

/** GET /api/sessions/endpoints/{id} */
export const getEndpoint =
  (deps: ConnectionsDeps): Handler<typeof endpointsContract.get> =>
  async ({ params: { id }, caller: { user_id } }) => {
    const endpoint = await findEndpoint(deps.db, { user_id, id });
    if (endpoint === undefined) throw noSuchEndpoint();
    return json(await shownEndpoint(deps, endpoint));
  };
