import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import {
  type CallToolResult,
  createMcpHandler,
  inputRequired,
  type Prompt,
  ProtocolError,
  type Resource,
  type ResourceTemplateType,
  Server,
  type Tool,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { defined } from '#core/defined.ts';

/** A real MCP server of both protocol eras on loopback, made with the official library; and servers that are none. */

export interface FakeTool extends Partial<Tool> {
  name: string;
  call(
    args: Record<string, unknown>,
    meta: Record<string, unknown>,
    context: FakeContext,
  ): CallToolResult | Promise<CallToolResult>;
}

/** What the server has for reading. Absent: it does not declare the capability. */
interface FakeContent {
  resources?: (Resource & { text?: string; blob?: string })[];
  templates?: ResourceTemplateType[];
  prompts?: (Prompt & { say(args: Record<string, string>): string })[];
}

interface FakeContext {
  progress(progress: number, total?: number, message?: string): Promise<void>;
  /** Asks the person at the client; in the newer revision the call begins again with the answer. */
  ask(message: string, properties: object): Promise<{ action: string; content?: Record<string, unknown> | undefined }>;
  /** Asks the person at the client to open a page. */
  open(message: string, url: string): Promise<{ action: string }>;
  /** Asks the client's language model. */
  sample(prompt: string): Promise<string>;
  /** Aborted when the client gives the call up. */
  signal: AbortSignal;
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
  /** Tells clients that the tools are others now. */
  changed(): void;
  /** Knows no session any more, as after a restart. Only where it has any. */
  forget(): void;
  close(): Promise<void>;
}

/** Answers `tools/list` with these values, whatever they are, as a server of either era may. */
export const listing =
  (tools: readonly unknown[]): McpFake['fault'] =>
  (_, response, body) => {
    if (methodOf(body) !== 'tools/list') return false;
    const result = { resultType: 'complete', ttlMs: 0, cacheScope: 'private', tools };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(body).id, result }));
    return true;
  };

export interface McpFakeOptions {
  /** `modern` refuses the handshake of 2025, `legacy` knows nothing else; `sessions` is legacy and keeps sessions. */
  era?: 'both' | 'modern' | 'legacy' | 'sessions';
  content?: FakeContent;
}

export async function startMcpFake(
  tools: FakeTool[] = [],
  { era = 'both', content = {} }: McpFakeOptions = {},
): Promise<McpFake> {
  const handler =
    era === 'sessions'
      ? sessionHandler(() => protocolServer(fake, content))
      : createMcpHandler(() => protocolServer(fake, content), { legacy: era === 'modern' ? 'reject' : 'stateless' });
  const http = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    const method = methodOf(body);
    fake.headers.push(request.headers);
    if (method !== '') fake.methods.push(method);
    if (fake.fault(request, response, body)) return;
    if ((era === 'legacy' || era === 'sessions') && method === 'server/discover')
      return void response.writeHead(400).end('unknown method');
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const answer = await handler.fetch(
      new Request(new URL(request.url ?? '/', fake.url), {
        method: request.method ?? 'GET',
        headers: request.headers as Record<string, string>,
        signal: gone.signal,
        ...defined({ body: body || undefined }),
      }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    // A stream may have nothing to say for long.
    response.flushHeaders();
    if (answer.body === null) response.end();
    else Readable.fromWeb(answer.body as never).pipe(response);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const fake: McpFake = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    methods: [],
    headers: [],
    tools,
    fault: () => false,
    changed: () => handler.notify.toolsChanged(),
    forget: () => ('forget' in handler ? handler.forget() : undefined),
    close: async () => {
      await handler.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  return fake;
}

/** A server of 2025 that keeps sessions, one transport each. */
function sessionHandler(make: () => Server) {
  const sessions = new Map<string, { server: Server; transport: WebStandardStreamableHTTPServerTransport }>();
  const all = () => [...sessions.values()];
  return {
    fetch: async (request: Request): Promise<Response> => {
      const id = request.headers.get('mcp-session-id');
      const known = id === null ? undefined : sessions.get(id);
      if (known !== undefined) return known.transport.handleRequest(request);
      if (id !== null) return new Response('Session not found', { status: 404 });
      const transport = new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (made) => void sessions.set(made, { server, transport }),
        onsessionclosed: (gone) => void sessions.delete(gone),
      });
      const server = make();
      await server.connect(transport);
      return transport.handleRequest(request);
    },
    notify: {
      toolsChanged: () => void Promise.all(all().map((entry) => entry.server.sendToolListChanged().catch(() => {}))),
    },
    forget: () => sessions.clear(),
    close: async () => void (await Promise.all(all().map((entry) => entry.server.close()))),
  };
}

class Asks extends Error {
  readonly result: ReturnType<typeof inputRequired>;
  constructor(result: ReturnType<typeof inputRequired>) {
    super('asks');
    this.result = result;
  }
}

function protocolServer(fake: McpFake, content: FakeContent): Server {
  const declared = defined({
    resources: content.resources === undefined ? undefined : {},
    prompts: content.prompts === undefined ? undefined : {},
  });
  const server = new Server(
    { name: 'fake', version: '1.0.0' },
    { capabilities: { tools: { listChanged: true }, ...declared } },
  );
  offerContent(server, content);
  server.setRequestHandler('tools/list', async () => ({
    tools: fake.tools.map(({ call: _, ...tool }) => ({ inputSchema: { type: 'object' as const }, ...tool })),
  }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const tool = fake.tools.find(({ name }) => name === params.name);
    if (tool === undefined) throw new Error(`no tool ${params.name}`);
    const meta = (params._meta ?? {}) as Record<string, unknown>;
    const context: FakeContext = {
      signal: mcpReq.signal,
      progress: async (progress, total, message) => {
        const progressToken = meta.progressToken as number | undefined;
        if (progressToken === undefined) return;
        const said = {
          progressToken,
          progress,
          ...defined({ total, message }),
        };
        await mcpReq.notify({ method: 'notifications/progress', params: said });
      },
      ask: async (message, properties) => {
        const requestedSchema = { type: 'object', properties } as never;
        if (server.getClientCapabilities() !== undefined && mcpReq.envelope === undefined)
          return mcpReq.elicitInput({ mode: 'form', message, requestedSchema });
        const answered = mcpReq.inputResponses?.[message];
        if (answered !== undefined) return answered as never;
        throw new Asks(
          inputRequired({ inputRequests: { [message]: inputRequired.elicit({ message, requestedSchema }) } }),
        );
      },
      open: async (message, url) => {
        if (server.getClientCapabilities() !== undefined && mcpReq.envelope === undefined)
          return mcpReq.elicitInput({ mode: 'url', message, url, elicitationId: randomUUID() });
        const answered = mcpReq.inputResponses?.[message];
        if (answered !== undefined) return answered as never;
        throw new Asks(inputRequired({ inputRequests: { [message]: inputRequired.elicitUrl({ message, url }) } }));
      },
      sample: async (prompt) => {
        const content = { type: 'text' as const, text: prompt };
        const asked = { messages: [{ role: 'user' as const, content }], maxTokens: 9 };
        if (server.getClientCapabilities() !== undefined && mcpReq.envelope === undefined)
          return JSON.stringify(await mcpReq.requestSampling(asked));
        throw new Asks(inputRequired({ inputRequests: { sample: inputRequired.createMessage(asked) } }));
      },
    };
    try {
      return await tool.call(params.arguments ?? {}, meta, context);
    } catch (error) {
      if (error instanceof Asks) return error.result;
      throw error;
    }
  });
  return server;
}

function offerContent(server: Server, { resources, templates, prompts }: FakeContent): void {
  if (resources !== undefined) {
    server.setRequestHandler('resources/list', async () => ({
      resources: resources.map(({ text: _, blob: __, ...resource }) => resource),
    }));
    if (templates !== undefined)
      server.setRequestHandler('resources/templates/list', async () => ({ resourceTemplates: templates }));
    server.setRequestHandler('resources/read', async ({ params: { uri, _meta } }) => {
      const found = resources.find((resource) => resource.uri === uri);
      if (found === undefined) throw new ProtocolError(-32_002, `no resource ${uri}`);
      const { text = JSON.stringify(_meta), blob, mimeType } = found;
      const entry = { uri, ...defined({ mimeType }) };
      return { contents: [blob === undefined ? { ...entry, text } : { ...entry, blob }] };
    });
  }
  if (prompts === undefined) return;
  server.setRequestHandler('prompts/list', async () => ({ prompts: prompts.map(({ say: _, ...prompt }) => prompt) }));
  server.setRequestHandler('prompts/get', async ({ params: { name, arguments: args = {} } }) => {
    const found = prompts.find((prompt) => prompt.name === name);
    if (found === undefined) throw new ProtocolError(-32_602, `no prompt ${name}`);
    return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text: found.say(args) } }] };
  });
}

function methodOf(body: string): string {
  try {
    return String(JSON.parse(body).method ?? '');
  } catch {
    return '';
  }
}

export const textResult = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });
