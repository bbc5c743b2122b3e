import { coreProblem } from '#core/errors.ts';
import type { Caller } from '#core/http/caller.ts';
import { jsonrpcError } from '#core/http/error-form.ts';
import { json, type Reply } from '#core/http/operation.ts';
import { clientBucket } from '#core/limits/client-bucket.ts';
import type { Log } from '#core/log.ts';
import { Problem } from '#core/problem/problem.ts';
import { surfacesProblem } from '#surfaces/errors.ts';
import type { ClientSession, ClientSessions } from './client-sessions.ts';
import type { Exchange } from './exchange.ts';
import type { Gate } from './gate.ts';
import { demandJson, type Headers, headerOf, takesEvents } from './headers.ts';
import { type Library, openLibrary } from './library.ts';
import { canBeAsked, refuseParams, refuseVersion } from './older-revisions.ts';
import { readMessage } from './read-message.ts';
import { Refusal, RPC, type RpcMessage, refusalReply } from './rpc.ts';
import type { Sdk } from './sdk.ts';
import { serveAlone } from './serve-alone.ts';
import type { ServeSession } from './serve-session.ts';
import type { MakeServer } from './serving.ts';

/**
 * Streamable HTTP: dispatches a message in one of three ways. The library's own handler serves messages of 2026-07-28;
 * those of older revisions are served alone or within their session.
 */

interface EndpointOptions {
  log: Log;
  gate: Gate;
  sessions: ClientSessions;
  within: ServeSession;
  /** Throws for pages of other sites. */
  admitOrigin(origin: string | undefined): void;
  makeServers(sdk: Sdk): MakeServer;
}

interface EndpointRequest {
  headers: Headers;
  /** The path of the request, of the two that the endpoint has. */
  raw_path: string;
  request_id: string;
  address: string;
  caller: Caller | null;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
}

export interface Endpoint {
  post(request: EndpointRequest & { body: string }): Promise<Reply>;
  stream(request: EndpointRequest): Promise<Reply>;
  end(request: EndpointRequest): Promise<Reply>;
}

export function createEndpoint({ log, gate, sessions, within, admitOrigin, makeServers }: EndpointOptions): Endpoint {
  let library: Promise<Library> | undefined;
  const serve = async (request: EndpointRequest, message: RpcMessage): Promise<Reply> => {
    gate.admit(message, request.caller, request.raw_path);
    library ??= openLibrary(makeServers, log);
    const { revisionOf, serveNewer } = await library;
    const exchange = exchangeWith(request, message);
    if (revisionOf(message, request.headers) === 'newer')
      return serveNewer(message, exchange, request.headers, request.signal);
    return serveOlder(await library, { sessions, within }, request, message, exchange);
  };
  /** For requests that need a session. */
  const demandSession = async (request: EndpointRequest): Promise<ClientSession> => {
    admitOrigin(headerOf(request.headers, 'origin'));
    if (namesSession(request)) return sessionOf(sessions, request);
    throw notAllowed();
  };
  return {
    async post(request) {
      let message: RpcMessage | undefined;
      try {
        admitOrigin(headerOf(request.headers, 'origin'));
        demandJson(request.headers);
        message = readMessage(request.body);
        return await serve(request, message);
      } catch (error) {
        return failure(error, message, request);
      }
    },
    stream: async (request) => within.stream(await demandSession(request), request.signal),
    end: async (request) => within.end(await demandSession(request)),
  };
}

async function serveOlder(
  library: Library,
  { sessions, within }: Pick<EndpointOptions, 'sessions' | 'within'>,
  request: EndpointRequest,
  message: RpcMessage,
  exchange: Exchange,
): Promise<Reply> {
  const { sdk, makeServer } = library;
  const { method, id, params = {} } = message;
  refuseParams(sdk, message);
  const alone = () => serveAlone({ sdk, makeServer, message, exchange, gone: request.signal });
  if (method === 'initialize' && id !== undefined) {
    const isAsker = exchange.hears && canBeAsked(message);
    const session = isAsker ? await sessions.begin(params, ownerOf(request)) : null;
    const reply = await alone();
    return session === null ? reply : { ...reply, headers: { ...reply.headers, [SESSION]: session } };
  }
  refuseVersion(headerOf(request.headers, 'mcp-protocol-version'), sdk.SUPPORTED_PROTOCOL_VERSIONS, message);
  if (namesSession(request)) return within.message(library, await sessionOf(sessions, request), message, exchange);
  if (method === undefined)
    throw new Refusal(400, RPC.invalid_request, 'A response must be sent in the session of its request.');
  return id === undefined ? { status: 202, media_type: 'application/json', body: '' } : alone();
}

const SESSION = 'mcp-session-id';

const namesSession = ({ headers }: EndpointRequest): boolean => headerOf(headers, SESSION) !== undefined;

async function sessionOf(sessions: ClientSessions, { caller, headers }: EndpointRequest): Promise<ClientSession> {
  const session = await sessions.find(`${headerOf(headers, SESSION)}`, caller?.user_id ?? null);
  if (session !== null) return session;
  throw surfacesProblem('mcp.session_not_found', 'Session not found or expired. Send initialize again.');
}

const ownerOf = ({ caller, address }: EndpointRequest) => ({
  user_id: caller?.user_id ?? null,
  owner: caller?.user_id ?? `address ${clientBucket(address)}`,
});

const exchangeWith = (
  { caller, address, request_id, headers }: EndpointRequest,
  { method, params = {} }: RpcMessage,
): Exchange => ({
  caller,
  address,
  request_id,
  method,
  params,
  traceparent: headerOf(headers, 'traceparent'),
  hears: takesEvents(headers),
});

/** With the message's id, if it could be parsed. The HTTP server logs bugs. */
function failure(error: unknown, message: RpcMessage | undefined, { request_id }: EndpointRequest): Reply {
  if (error instanceof Refusal) return refusalReply(error);
  if (!(error instanceof Problem)) throw error;
  const { status, headers } = error;
  return json(jsonrpcError(message?.id ?? null, error, request_id), { status, headers });
}

const notAllowed = (): Problem =>
  coreProblem('http.method_not_allowed', 'Only POST is allowed without a session.', {
    headers: { allow: 'POST' },
  });
