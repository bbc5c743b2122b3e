import type { ConnectionsDeps } from '#connections/connections/deps.ts';
import { jsonOrEvents, type Tell } from '#connections/connections/event-reply.ts';
import { NOT_ASKED } from '#connections/questions/noted-questions.ts';
import { connectionScope } from '#connections/questions/question-desk.ts';
import type { Handler } from '#core/http/operation.ts';
import { shareOf } from '#core/http/share-of.ts';
import type { AskPerson } from '#core/mcp/questions.ts';
import type { toolsContract } from './contract.ts';
import { readyCall } from './recorded-call.ts';
import { TIMEOUT_MS, tracedCall } from './traced-call.ts';

/** POST /api/sessions/connections/{id}/tools/call */
export const callTool =
  (deps: ConnectionsDeps): Handler<typeof toolsContract.call> =>
  async (input) => {
    const { params, body, caller, address, headers, signal: gone } = input;
    const { tool: name, arguments: given, timeout_ms = TIMEOUT_MS } = body;
    const args = (given ?? {}) as Record<string, unknown>;
    const of = { user_id: caller.user_id, id: params.id };
    const share = shareOf({ caller, address });
    const tool = await readyCall(deps, of, { tool: name, args, share, signal: gone });
    const asked = { user_id: caller.user_id, scope: connectionScope(params.id) };
    const asking =
      (tell: Tell, signal: AbortSignal): AskPerson =>
      (question) =>
        deps.questions.ask(asked, question, signal, (shown) => tell('question', shown));
    return jsonOrEvents(input, deps, (tell, signal, isHeard) =>
      tracedCall(deps, tool, {
        args,
        timeout_ms,
        traceparent: headers.traceparent,
        signal,
        ask: isHeard ? asking(tell, signal) : NOT_ASKED.json,
        on_step: (step) => tell('step', step),
        on_progress: ({ progress, total, message }) => tell('progress', { progress, total, message }),
      }),
    );
  };
