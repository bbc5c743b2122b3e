import type { SessionsDeps } from '#connections/connections/deps.ts';
import { preferredType } from '#core/http/accept.ts';
import { type Handler, json } from '#core/http/operation.ts';
import { problemBody } from '#core/http/problem-body.ts';
import { shareOf } from '#core/http/share-of.ts';
import { Problem } from '#core/problem/problem.ts';
import { eventsOf } from './call-events.ts';
import type { toolsContract } from './contract.ts';
import { TIMEOUT_MS, tracedCall } from './traced-call.ts';

/** POST /api/sessions/connections/{id}/tools/call */
export const callTool =
  (deps: SessionsDeps): Handler<typeof toolsContract.call> =>
  async ({ params: { id }, body, caller, address, headers, signal, request_id }) => {
    const { tool: name, arguments: given, timeout_ms = TIMEOUT_MS } = body;
    const args = (given ?? {}) as Record<string, unknown>;
    const tool = await deps.calls.ready({ user_id: caller.user_id, id }, name);
    await deps.calls.check(tool, args, { share: shareOf({ caller, address }), signal });
    const order = { args, timeout_ms, traceparent: headers.traceparent };
    const accepts = preferredType(headers.accept as string | undefined, ['application/json', 'text/event-stream']);
    if (accepts !== 'text/event-stream') return json(await tracedCall(deps, tool, { ...order, signal }));
    return {
      media_type: 'text/event-stream',
      body: eventsOf(
        signal,
        (on_progress, ended) => tracedCall(deps, tool, { ...order, signal: ended, on_progress }),
        (error) => problemBody(explained(deps, error), request_id),
      ),
      headers: { 'x-accel-buffering': 'no' },
    };
  };

/** An exception that is not a Problem is a bug, and a stream has no error boundary. */
function explained({ log }: SessionsDeps, error: unknown): Problem {
  if (error instanceof Problem) return error;
  log.error({ err: error }, 'tool call failed');
  return new Problem('internal', 'http.internal', 'Internal error.');
}
