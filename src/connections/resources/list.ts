import type { ConnectionsDeps } from '#connections/connections/deps.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { resourcesContract } from './contract.ts';
import { seenResources } from './seen-resources.ts';

/** POST /api/sessions/connections/{id}/resources/list */
export const listResources =
  (deps: ConnectionsDeps): Handler<typeof resourcesContract.list> =>
  async ({ params: { id }, caller: { user_id }, headers: { traceparent }, signal }) =>
    json(await seenResources(deps, { user_id, id }, { signal, traceparent }));
