import type { ConnectionsDeps } from '#connections/connections/deps.ts';
import { jsonOrEvents } from '#connections/connections/event-reply.ts';
import type { Handler } from '#core/http/operation.ts';
import { shareOf } from '#core/http/share-of.ts';
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
    return jsonOrEvents(input, deps, (tell, signal) =>
      tracedCall(deps, tool, {
        args,
        timeout_ms,
        traceparent: headers.traceparent,
        signal,
        on_step: (step) => tell('step', step),
        on_progress: ({ progress, total, message }) => tell('progress', { progress, total, message }),
      }),
    );
  };
