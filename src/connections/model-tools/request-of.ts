import { stepsAsProgress } from '#core/mcp/packaged-servers.ts';
import type { ToolCall } from '#core/tools/tool.ts';

/** A request to a server within a call of our own tool. */
export const requestOf = ({
  signal,
  traceparent,
  progress,
}: Pick<ToolCall, 'signal' | 'traceparent' | 'progress'>) => ({
  signal,
  within: traceparent,
  on_step: stepsAsProgress(progress),
});
