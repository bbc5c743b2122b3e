import type { ConnectionsDeps } from '#connections/connections/deps.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { promptsContract } from './contract.ts';
import { readPrompt } from './seen-prompts.ts';

/** POST /api/sessions/connections/{id}/prompts/get */
export const getPrompt =
  (deps: ConnectionsDeps): Handler<typeof promptsContract.get> =>
  async ({ params: { id }, body, caller: { user_id }, headers: { traceparent }, signal }) => {
    const wanted = { prompt: body.prompt, arguments: (body.arguments ?? {}) as Record<string, string> };
    return json((await readPrompt(deps, { user_id, id }, wanted, { signal, traceparent })).answer);
  };
