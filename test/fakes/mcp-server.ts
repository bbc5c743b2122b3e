import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { type CallToolResult, createMcpHandler, Server, type Tool } from '@modelcontextprotocol/server';

/** A real MCP server of both protocol eras on loopback, made with the official library; and servers that are none. */

export interface FakeTool extends Partial<Tool> {
  name: string;
  call(args: Record<string, unknown>, meta: Record<string, unknown>): CallToolResult | Promise<CallToolResult>;
}

export interface McpFake {
  url: string;
  /** Methods of JSON-RPC in the order in which they came. */
  methods: string[];
  /** Headers of each request. */
  headers: IncomingMessage['headers'][];
  tools: FakeTool[];
  /** Answers in place of the server where it returns true. */
  fault: (request: IncomingMessage, response: ServerResponse, body: string) => boolean;
  close(): Promise<void>;
}

export interface McpFakeOptions {
  /** `modern` refuses the handshake of 2025, `legacy` knows nothing else. */
  era?: 'both' | 'modern' | 'legacy';
}

export async function startMcpFake(tools: FakeTool[] = [], { era = 'both' }: McpFakeOptions = {}): Promise<McpFake> {
  const handler = createMcpHandler(() => protocolServer(fake), { legacy: era === 'modern' ? 'reject' : 'stateless' });
  const http = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    const method = methodOf(body);
    fake.headers.push(request.headers);
    if (method !== '') fake.methods.push(method);
    if (fake.fault(request, response, body)) return;
    if (era === 'legacy' && method === 'server/discover') return void response.writeHead(400).end('unknown method');
    const answer = await handler.fetch(
      new Request(new URL(request.url ?? '/', fake.url), {
        method: request.method ?? 'GET',
        headers: request.headers as Record<string, string>,
        ...(body === '' ? {} : { body }),
      }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body === null) response.end();
    else Readable.fromWeb(answer.body as never).pipe(response);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const fake: McpFake = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    ...{ methods: [], headers: [], tools, fault: () => false },
    close: async () => {
      await handler.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  return fake;
}

function protocolServer(fake: McpFake): Server {
  const server = new Server({ name: 'fake', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', async () => ({
    tools: fake.tools.map(({ call: _, ...tool }) => ({ inputSchema: { type: 'object' as const }, ...tool })),
  }));
  server.setRequestHandler('tools/call', async ({ params }) => {
    const tool = fake.tools.find(({ name }) => name === params.name);
    if (tool === undefined) throw new Error(`no tool ${params.name}`);
    return tool.call(params.arguments ?? {}, (params._meta ?? {}) as Record<string, unknown>);
  });
  return server;
}

function methodOf(body: string): string {
  try {
    return String(JSON.parse(body).method ?? '');
  } catch {
    return '';
  }
}

export const textResult = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });
