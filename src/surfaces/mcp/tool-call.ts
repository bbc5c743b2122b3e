import { defined } from '#core/defined.ts';
import { shareOf } from '#core/http/share-of.ts';
import type { ToolCall } from '#core/tools/tool.ts';
import { mayCall } from './gate.ts';
import type { Turn } from './methods/method.ts';

/** The client's trace context: that of the message, or else of its HTTP request. */
export function traceparentIn({ exchange, context }: Turn): string | undefined {
  const meta = context.mcpReq._meta?.traceparent;
  return typeof meta === 'string' ? meta : exchange.traceparent;
}

/** The context of a tool call besides its input. */
export function toolCall({ exchange, context, asking }: Turn, traceparent: string | null): ToolCall {
  const { signal, _meta, notify, log } = context.mcpReq;
  const { caller, address, request_id, hears } = exchange;
  const token = hears ? _meta?.progressToken : undefined;
  let told = Number.NEGATIVE_INFINITY;
  // A client that disconnected hears nothing: the call's signal reports that.
  const lost = () => {};
  return {
    ...asking,
    caller,
    share: shareOf({ caller, address }),
    signal,
    request_id,
    run_tool: mayCall('write', caller) ? 'task_run' : null,
    traceparent,
    progress(done, total, message) {
      // Progress may only increase.
      if (token === undefined || done <= told) return;
      told = done;
      const params = { progressToken: token, progress: done, ...defined({ total: total ?? undefined }), message };
      notify({ method: 'notifications/progress', params }).catch(lost);
    },
    log(level, message) {
      if (hears) log(level, message, 'capstan').catch(lost);
    },
  };
}
