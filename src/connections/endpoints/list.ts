import type { ConnectionsDeps } from '#connections/connections/deps.ts';
import { type Handler, json } from '#core/http/operation.ts';
import { shownEndpoint } from './choose.ts';
import type { endpointsContract } from './contract.ts';
import { listEndpoints as readEndpoints } from './endpoints.ts';

/** GET /api/sessions/endpoints */
export const listEndpoints =
  ({ db, base_url }: ConnectionsDeps): Handler<typeof endpointsContract.list> =>
  async ({ caller: { user_id } }) => {
    const found = await readEndpoints(db, user_id);
    const items = await Promise.all(found.map((endpoint) => shownEndpoint(db, base_url, endpoint)));
    return json({ items, total_count: items.length });
  };
