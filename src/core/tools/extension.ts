import type { ToolCall } from './tool.ts';

/** An extension of MCP with methods of its own, such as skills over MCP. Brought by features like their tools. */

export interface Extension {
  /** Reverse domain and name, such as `io.modelcontextprotocol/skills`. */
  id: string;
  /** What is advertised beside the id under `capabilities.extensions`; `{}` where there is nothing to say. */
  settings: Record<string, unknown>;
  /** By their whole name, such as `skills/list`; none that the protocol itself has. */
  methods: Record<string, ExtensionMethod>;
  /** Callable without a credential; what is not answers 401 without one. */
  auth: 'none' | 'jwt';
}

/**
 * Answers the `result`, plain JSON. Params come as they were sent, without `_meta`. A `Problem` becomes the protocol's
 * error: -32602 where what was sent is wrong or names nothing, -32603 for the rest.
 */
export type ExtensionMethod = (params: Record<string, unknown>, call: ToolCall) => Promise<Record<string, unknown>>;
