import type { ConnectionsDeps } from '#connections/connections/deps.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { resourcesContract } from './contract.ts';
import { readResource as readFrom } from './seen-resources.ts';

/** POST /api/sessions/connections/{id}/resources/read */
export const readResource =
  (deps: ConnectionsDeps): Handler<typeof resourcesContract.read> =>
  async ({ params: { id }, body: { uri }, caller: { user_id }, headers: { traceparent }, signal }) =>
    json((await readFrom(deps, { user_id, id }, uri, { signal, traceparent })).answer);
