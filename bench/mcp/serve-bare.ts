import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  fromJsonSchema,
  type JSONRPCRequest,
  McpServer,
  PerRequestHTTPServerTransport,
  Server,
} from '@modelcontextprotocol/server';
import { report } from '../catalog/serve.ts';

/**
 * The library alone on `node:http`, a server for each request as it wants it, with answers from memory: `low` its
 * low-level server with one method, `high` its high-level one with as many tools as ours has.
 */
const [kind = 'low', file = ''] = process.argv.slice(2);

interface Recorded {
  /** By the request's body. */
  results: Record<string, object>;
  tools: { name: string; description: string; inputSchema: object; outputSchema: object }[];
}

const { results, tools } = JSON.parse(readFileSync(file, 'utf8')) as Recorded;
const identity = { name: 'bare', version: '1' };

function low(result: object): Server {
  const server = new Server(identity, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/call', async () => result as never);
  return server;
}

const schemas = tools.map(({ inputSchema, outputSchema }) => [
  fromJsonSchema(inputSchema as never),
  fromJsonSchema(outputSchema as never),
]);

function high(result: object): McpServer {
  const server = new McpServer(identity, { capabilities: { tools: {} } });
  tools.forEach(({ name, description }, at) => {
    const [inputSchema, outputSchema] = schemas[at] as [never, never];
    server.registerTool(name, { description, inputSchema, outputSchema }, (async () => result) as never);
  });
  return server;
}

const http = createServer(async (request, response) => {
  const body = await text(request);
  const result = results[body] as object;
  const transport = new PerRequestHTTPServerTransport({ classification: { era: 'legacy' } });
  await (kind === 'low' ? low(result) : high(result)).connect(transport);
  const answer = await transport.handleMessage(JSON.parse(body) as JSONRPCRequest);
  const bytes = Buffer.from(await answer.text());
  response.writeHead(answer.status, { 'content-type': 'application/json', 'content-length': bytes.length });
  response.end(bytes);
});
http.listen(0, '127.0.0.1', () => report(http.address()));
