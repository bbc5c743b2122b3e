import { userShare } from '#core/fair-queue/share.ts';
import type { Caller } from '#core/http/caller.ts';
import type { Tool, ToolAnswer, ToolCall } from '#core/tools/tool.ts';

/** Calls of tools without a protocol around them. */

export const callerOf = (user_id: string): Caller => ({
  user_id,
  tier: 'pro',
  scopes: ['read', 'write', 'admin'],
  is_operator: false,
  unproven_network: null,
  sign_in_id: null,
  api_key_id: null,
  signed_in_at_ms: null,
});

/** By a user, or by nobody. */
export const toolCall = (user_id: string | null, more: Partial<ToolCall> = {}): ToolCall => ({
  caller: user_id === null ? null : callerOf(user_id),
  share: user_id === null ? { user_id: null, address: '127.0.0.1' } : userShare(user_id),
  signal: new AbortController().signal,
  request_id: 'request-1',
  run_tool: user_id === null ? null : 'task_run',
  traceparent: null,
  progress: () => {},
  log: () => {},
  can: () => false,
  ask: async () => ({}),
  answered: () => [],
  elicit: async () => null,
  ...more,
});

// biome-ignore lint/suspicious/noExplicitAny: what is in it is what the test is about
type AnyAnswer = ToolAnswer<any>;

export function runTool(
  tools: readonly Tool[],
  name: string,
  input: object,
  call = toolCall(null),
): Promise<AnyAnswer> {
  const tool = tools.find((tool) => tool.name === name);
  if (tool === undefined) throw new Error(`There is no tool ${name}.`);
  return tool.run(input as never, call);
}
