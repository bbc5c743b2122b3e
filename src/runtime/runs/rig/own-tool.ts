import canonicalize from 'canonicalize';
import { sha256 } from '#core/crypto/sha256.ts';
import { Problem } from '#core/problem/problem.ts';
import { traceparentOf } from '#core/telemetry/traceparent.ts';
import type { Tool, ToolCall } from '#core/tools/tool.ts';
import { ATTR, toolsCall } from '#core/traces/conventions.ts';

import type { RunOrder } from '../capability.ts';
import { checkApart } from '../check-input.ts';
import { COMPLETED, emptyOutcome, failed } from '../result.ts';
import type { RigTool } from './parts.ts';

/** A tool of this service as a tool of the rig: called anonymously, without the user's credential. */
export function ownTool(server: string, tool: Tool): RigTool {
  const { name, description } = tool;
  const input_schema = JSON.parse(JSON.stringify(tool.input)) as Record<string, unknown>;
  const digest = `sha256:${sha256(Buffer.from(canonicalize({ name, description, input_schema }) as string))}`;
  const attributes = {
    [ATTR.operation]: 'execute_tool',
    [ATTR.tool_name]: name,
    [ATTR.tool_type]: 'function',
  };
  return {
    server,
    name,
    description,
    input_schema,
    inputFor: (args) => args,
    capability: {
      kind: 'rig',
      ref: `mcp/jsonrpc/${name}`,
      name,
      version: digest.slice(7, 19),
      digest,
      execution_class: 'mcp',
      input_schema,
      repeatable: true,
      whyUnavailable: async () => null,
      span: { name: toolsCall(name), attributes },
      run: (order) => callOwn(tool, input_schema, order),
    },
  };
}

async function callOwn(
  tool: Tool,
  schema: Record<string, unknown>,
  { input, caller: { share }, signal, span }: RunOrder,
) {
  const checked = await checkApart(schema, input, share);
  const [fault] = 'errors' in checked ? checked.errors : [{ pointer: '', detail: checked.unusable }];
  if (fault !== undefined)
    return emptyOutcome(failed('input_unfit', `${tool.name}: ${fault.pointer} ${fault.detail}.`));
  const call: ToolCall = {
    caller: null,
    share,
    signal,
    request_id: span.spanContext().spanId,
    run_tool: null,
    traceparent: traceparentOf(span),
    progress: () => {},
    log: () => {},
    can: () => false,
    ask: async () => ({}),
    answered: () => [],
    elicit: async () => null,
  };
  try {
    const { structured, text } = await tool.run(input as never, call);
    return { ...emptyOutcome(COMPLETED), output: structured, stdout: text };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return emptyOutcome(failed(error.code, error.message));
  }
}
