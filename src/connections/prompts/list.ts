import type { ConnectionsDeps } from '#connections/connections/deps.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { promptsContract } from './contract.ts';
import { seenPrompts } from './seen-prompts.ts';

/** POST /api/sessions/connections/{id}/prompts/list */
export const listPrompts =
  (deps: ConnectionsDeps): Handler<typeof promptsContract.list> =>
  async ({ params: { id }, caller: { user_id }, headers: { traceparent }, signal }) =>
    json(await seenPrompts(deps, { user_id, id }, { signal, traceparent }));
