import type { ElicitRequest, ElicitResult } from '@modelcontextprotocol/client';

export const MCP_TRANSPORTS = ['streamable-http', 'sse'] as const;
export type McpTransport = (typeof MCP_TRANSPORTS)[number];
/** What a session goes over: an address, or the standard input and output of a process. */
export type McpWay = McpTransport | 'stdio';

export interface McpTarget {
  url: string;
  /** What is tried first; the other one is the fallback. */
  transport: McpTransport;
  /** Sent with every request, such as an authorization. */
  headers?: Record<string, string> | undefined;
  /** Answers what the server asks in the middle of a call; left out, servers are told that nobody is there to. */
  elicit?: ((asked: ElicitRequest['params']) => Promise<ElicitResult>) | undefined;
}
