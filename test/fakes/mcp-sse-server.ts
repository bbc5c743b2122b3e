import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An MCP server of the first kind (2024-11-05): a stream that is opened with GET, and an address to post to. */
interface McpSseFake {
  url: string;
  methods: string[];
  /** Where the stream says that messages go; its own address unless the test says otherwise. */
  endpoint: string;
  close(): Promise<void>;
}

export async function startMcpSseFake(): Promise<McpSseFake> {
  let stream: ServerResponse | null = null;
  const results: Record<string, unknown> = {
    initialize: {
      protocolVersion: '2024-11-05',
      capabilities: { tools: {} },
      serverInfo: { name: 'old', version: '0' },
    },
    'tools/list': { tools: [{ name: 'hello', inputSchema: { type: 'object' } }] },
    'tools/call': { content: [{ type: 'text', text: 'from the stream' }] },
  };
  const http = createServer(async (request, response) => {
    if (request.method === 'GET') {
      stream = response.writeHead(200, { 'content-type': 'text/event-stream' });
      return void stream.write(`event: endpoint\ndata: ${fake.endpoint}\n\n`);
    }
    if (request.method !== 'POST' || request.url !== '/messages') return void response.writeHead(405).end();
    let body = '';
    for await (const chunk of request) body += chunk;
    const { id, method } = JSON.parse(body) as { id?: number; method: string };
    fake.methods.push(method);
    response.writeHead(202).end();
    if (id !== undefined)
      stream?.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} })}\n\n`);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const fake: McpSseFake = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/sse`,
    methods: [],
    endpoint: '/messages',
    close: async () => {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  return fake;
}
