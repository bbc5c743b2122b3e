import type { Caller } from '#core/http/caller.ts';
import type { ToolCall } from './tool.ts';

/** The caller's user id, for tools with a scope, which are never called without a caller. */
export const ownerOf = (call: Pick<ToolCall, 'caller'>): string => callerOf(call).user_id;

/** Returns the caller with tier and scopes. */
export function callerOf({ caller }: Pick<ToolCall, 'caller'>): Caller {
  if (caller === null) throw new Error('A tool with a scope was called without a caller.');
  return caller;
}
