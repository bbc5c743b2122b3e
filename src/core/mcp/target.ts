import type { ElicitRequest, ElicitResult } from '@modelcontextprotocol/client';

export const MCP_TRANSPORTS = ['streamable-http', 'sse'] as const;
export type McpTransport = (typeof MCP_TRANSPORTS)[number];

export interface McpTarget {
  url: string;
  /** What is tried first; the other one is the fallback. */
  transport: McpTransport;
  /** Sent with every request, such as an authorization. */
  headers?: Record<string, string> | undefined;
  /** Answers what the server asks in the middle of a call; left out, servers are told that nobody is there to. */
  elicit?: ((asked: ElicitRequest['params']) => Promise<ElicitResult>) | undefined;
}
