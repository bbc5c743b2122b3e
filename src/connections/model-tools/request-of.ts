import { type PackageStep, stepProgress, stepText } from '#core/mcp/packaged-servers.ts';
import type { ToolCall } from '#core/tools/tool.ts';

/** A request to a server within a call of our own tool. */
export const requestOf = ({
  signal,
  traceparent,
  progress,
}: Pick<ToolCall, 'signal' | 'traceparent' | 'progress'>) => ({
  signal,
  within: traceparent,
  on_step: (step: PackageStep) => progress(stepProgress(step), null, stepText(step)),
});
