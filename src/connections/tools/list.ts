import type { ConnectionsDeps } from '#connections/connections/deps.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { toolsContract } from './contract.ts';
import { seenTools } from './seen-tools.ts';

/** POST /api/sessions/connections/{id}/tools/list */
export const listTools =
  (deps: ConnectionsDeps): Handler<typeof toolsContract.list> =>
  async ({ params: { id }, query, caller }) =>
    json(await seenTools(deps, caller, id, query.refresh === true));
