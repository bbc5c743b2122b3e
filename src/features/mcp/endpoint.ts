import type { Clock } from '../../platform/clock.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { jsonrpcError } from '../../platform/http/error-form.ts';
import { json, type Reply } from '../../platform/http/operation.ts';
import { clientBucket } from '../../platform/limits/client-bucket.ts';
import type { Log } from '../../platform/log.ts';
import { Problem } from '../../platform/problem.ts';
import { type ClientSession, clientSessions } from './client-sessions.ts';
import type { Exchange } from './exchange.ts';
import type { Gate } from './gate.ts';
import { demandJson, type Headers, headerOf, takesEvents } from './headers.ts';
import { type Library, openLibrary } from './library.ts';
import { canBeAsked, refuseParams, refuseVersion } from './older-revisions.ts';
import { readMessage } from './read-message.ts';
import { Refusal, RPC, type RpcMessage, refusalReply } from './rpc.ts';
import type { Sdk } from './sdk.ts';
import { serveAlone } from './serve-alone.ts';
import { serveSession, serveVerb } from './serve-session.ts';
import type { MakeServer } from './serving.ts';

/**
 * Streamable HTTP: which of three ways a message goes. One of 2026-07-28 names itself as such and is answered by the
 * library's own handler; one of the older revisions is answered alone, or within the session that it names.
 */

export interface EndpointOptions {
  clock: Clock;
  log: Log;
  gate: Gate;
  /** Throws for pages of other sites. */
  admitOrigin(origin: string | undefined): void;
  makeServers(sdk: Sdk): MakeServer;
  sessions: { max: number; idle_ms: number };
}

export interface Asked {
  headers: Headers;
  request_id: string;
  address: string;
  caller: Caller | null;
  /** Aborted when the client is gone. */
  signal: AbortSignal;
}

export interface Endpoint {
  post(asked: Asked & { body: string }): Promise<Reply>;
  stream(asked: Asked): Promise<Reply>;
  end(asked: Asked): Promise<Reply>;
}

export function createEndpoint({ clock, log, gate, admitOrigin, makeServers, ...options }: EndpointOptions): Endpoint {
  const sessions = clientSessions({ clock, ...options.sessions });
  let library: Promise<Library> | undefined;

  const serve = async (asked: Asked, message: RpcMessage): Promise<Reply> => {
    gate.admit(message, asked.caller);
    library ??= openLibrary(makeServers, log);
    const opened = await library;
    const exchange = exchangeWith(asked, message);
    if (opened.revisionOf(message, asked.headers) === 'newer')
      return opened.serveNewer(message, exchange, asked.headers, asked.signal);
    refuseParams(message);
    return message.method === 'initialize'
      ? begin(opened, asked, message, exchange)
      : goOn(opened, asked, message, exchange);
  };

  const begin = async ({ sdk, makeServer }: Library, asked: Asked, message: RpcMessage, exchange: Exchange) => {
    const isAsker = exchange.hears && canBeAsked(message) && message.id !== undefined;
    const session = isAsker ? await sessions.begin(sdk, makeServer, ownerOf(asked)) : null;
    if (session === null) return serveAlone({ sdk, makeServer, message, exchange, gone: asked.signal });
    return serveSession(session, message, exchange, {});
  };

  const goOn = ({ sdk, makeServer }: Library, asked: Asked, message: RpcMessage, exchange: Exchange) => {
    refuseVersion(headerOf(asked.headers, 'mcp-protocol-version'), sdk.SUPPORTED_PROTOCOL_VERSIONS, message);
    if (namesSession(asked)) return serveSession(sessionOf(asked), message, exchange, asked.headers);
    if (message.method === undefined)
      throw new Refusal(400, RPC.invalid_request, 'A response is only taken within the session that asked.');
    if (message.id === undefined) return ACCEPTED;
    return serveAlone({ sdk, makeServer, message, exchange, gone: asked.signal });
  };

  const sessionOf = ({ caller, headers }: Asked): ClientSession => {
    const session = sessions.find(`${headerOf(headers, SESSION)}`, caller?.user_id ?? null);
    if (session !== null) return session;
    throw new Problem('not_found', 'mcp.session_unknown', 'There is no such session here any more. Initialize anew.');
  };
  /** Of what only a session has. */
  const demandSession = (asked: Asked): ClientSession => {
    admitOrigin(headerOf(asked.headers, 'origin'));
    if (!namesSession(asked)) throw notAllowed();
    return sessionOf(asked);
  };

  return {
    async post(asked) {
      let message: RpcMessage | undefined;
      try {
        admitOrigin(headerOf(asked.headers, 'origin'));
        demandJson(asked.headers);
        message = readMessage(asked.body);
        return await serve(asked, message);
      } catch (error) {
        return failure(error, message, asked);
      }
    },
    stream: async (asked) => serveVerb('GET', demandSession(asked), asked.headers),
    end: async (asked) => {
      const session = demandSession(asked);
      const reply = await serveVerb('DELETE', session, asked.headers);
      await sessions.end(session);
      return reply;
    },
  };
}

const SESSION = 'mcp-session-id';
const ACCEPTED: Reply = { status: 202, media_type: 'application/json', body: '' };

const namesSession = ({ headers }: Asked): boolean => headerOf(headers, SESSION) !== undefined;

const ownerOf = ({ caller, address }: Asked) => ({
  user_id: caller?.user_id ?? null,
  quota: caller?.user_id ?? `address ${clientBucket(address)}`,
});

const exchangeWith = ({ caller, request_id, headers }: Asked, { method, params = {} }: RpcMessage): Exchange => ({
  ...{ caller, request_id, method, params },
  traceparent: headerOf(headers, 'traceparent'),
  hears: takesEvents(headers),
});

/** With the message's id, where it could be read. Bugs are the server's to log. */
function failure(error: unknown, message: RpcMessage | undefined, { request_id }: Asked): Reply {
  if (error instanceof Refusal) return refusalReply(error);
  if (!(error instanceof Problem)) throw error;
  const { status, headers } = error;
  return json(jsonrpcError(message?.id ?? null, error, request_id), { status, headers });
}

const notAllowed = (): Problem =>
  new Problem('method_not_allowed', 'http.method_not_allowed', 'Without a session only POST is taken here.', {
    headers: { allow: 'POST' },
  });
