import type { ToolCall } from './tool.ts';

/** An MCP extension with its own methods, such as skills over MCP. Provided by wings like their tools. */

export interface Extension {
  /** Reverse domain and name, such as `io.modelcontextprotocol/skills`. */
  id: string;
  /** Advertised with the id under `capabilities.extensions`; may be `{}`. */
  settings: Record<string, unknown>;
  /** By full name, such as `skills/list`; must not be methods of the protocol itself. */
  methods: Record<string, ExtensionMethod>;
  /** Whether a credential is required; if so, calls without one get a 401. */
  auth: 'none' | 'jwt';
}

/**
 * Returns the `result` as plain JSON. Params are passed as sent, without `_meta`. A `Problem` becomes a protocol error:
 * -32602 for invalid params, -32603 otherwise.
 */
export type ExtensionMethod = (params: Record<string, unknown>, call: ToolCall) => Promise<Record<string, unknown>>;
