import type { ToolCall } from './tool.ts';

/** Who calls a tool that names a scope; whoever serves tools lets nobody else through. */
export function ownerOf({ caller }: Pick<ToolCall, 'caller'>): string {
  if (caller === null) throw new Error('A tool with a scope was called without a caller.');
  return caller.user_id;
}
