import type { Reply } from '#core/http/operation.ts';
import type { Log } from '#core/log.ts';
import { carrying, type Exchange, exchangeIn } from './exchange.ts';
import { type Headers, headerOf } from './headers.ts';
import { replyOf } from './response-reply.ts';
import type { RpcMessage } from './rpc.ts';
import { loadSdk, type Sdk } from './sdk.ts';
import type { MakeServer } from './serving.ts';

/** The library, opened once, with its own handler for messages of 2026-07-28. */
export interface Library {
  sdk: Sdk;
  makeServer: MakeServer;
  /** `newer` if the message or its headers are of 2026-07-28. */
  revisionOf(message: RpcMessage, headers: Headers): 'older' | 'newer';
  serveNewer(message: RpcMessage, exchange: Exchange, headers: Headers, gone: AbortSignal): Promise<Reply>;
}

export async function openLibrary(makeServers: (sdk: Sdk) => MakeServer, log: Log): Promise<Library> {
  const sdk = await loadSdk();
  const makeServer = makeServers(sdk);
  const handler = sdk.createMcpHandler(({ authInfo }) => makeServer(exchangeIn(authInfo).method ?? ''), {
    legacy: 'reject',
    onerror: (error) => log.debug({ err: error }, 'failed to handle an MCP message'),
  });
  return {
    sdk,
    makeServer,
    revisionOf: (message, headers) => {
      const { kind } = sdk.classifyInboundRequest({ ...standardHeaders(headers), httpMethod: 'POST', body: message });
      return kind === 'legacy' ? 'older' : 'newer';
    },
    serveNewer: async (message, exchange, headers, signal) => {
      const names = Object.entries(HEADERS).map(([ours, name]) => [name, standardHeaders(headers)[ours as Named]]);
      const sent = Object.fromEntries(names.filter(([, value]) => value !== undefined)) as Record<string, string>;
      const request = new Request('http://capstan/mcp/jsonrpc', {
        method: 'POST',
        signal,
        headers: { ...sent, 'content-type': 'application/json' },
      });
      const response = await handler.fetch(request, { parsedBody: message, authInfo: carrying(exchange) });
      if (response.status >= 500)
        log.error({ request_id: exchange.request_id }, 'the MCP library failed; see debug lines');
      return replyOf(response);
    },
  };
}

const HEADERS = {
  protocolVersionHeader: 'mcp-protocol-version',
  mcpMethodHeader: 'mcp-method',
  mcpNameHeader: 'mcp-name',
} as const;
type Named = keyof typeof HEADERS;

/** The headers that are present, under the library's names. */
function standardHeaders(headers: Headers): Partial<Record<Named, string>> {
  const found: Partial<Record<Named, string>> = {};
  for (const ours of Object.keys(HEADERS) as Named[]) {
    const value = headerOf(headers, HEADERS[ours]);
    if (value !== undefined) found[ours] = value;
  }
  return found;
}
