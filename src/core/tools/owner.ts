import type { Caller } from '#core/http/caller.ts';
import type { ToolCall } from './tool.ts';

/** Who calls a tool that names a scope; whoever serves tools lets nobody else through. */
export const ownerOf = (call: Pick<ToolCall, 'caller'>): string => callerOf(call).user_id;

/** The same with tier and scopes. */
export function callerOf({ caller }: Pick<ToolCall, 'caller'>): Caller {
  if (caller === null) throw new Error('A tool with a scope was called without a caller.');
  return caller;
}
