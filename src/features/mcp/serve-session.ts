import type { Reply } from '../../platform/http/operation.ts';
import type { ClientSession } from './client-sessions.ts';
import { carrying, type Exchange } from './exchange.ts';
import { begunAtOnce, replyOf } from './response-reply.ts';
import { Refusal, RPC, type RpcId, type RpcMessage } from './rpc.ts';

/** A message within a session, and the session's own stream. */

type Headers = Record<string, string | string[] | undefined>;

export async function serveSession(
  session: ClientSession,
  message: RpcMessage,
  exchange: Exchange,
  headers: Headers,
): Promise<Reply> {
  const { id = null, method } = message;
  const is_request = id !== null && method !== undefined;
  if (is_request && session.in_flight.has(id))
    throw new Refusal(400, RPC.invalid_request, 'A request with this id is not answered yet.', id);
  if (is_request) session.in_flight.add(id);
  try {
    const response = await session.transport.handleRequest(sent('POST', session, headers), {
      ...{ parsedBody: message, authInfo: carrying(exchange) },
    });
    const reply = await replyOf(response);
    if (!is_request || typeof reply.body === 'string') session.in_flight.delete(id);
    return is_request && typeof reply.body !== 'string'
      ? { ...reply, body: answering(session, id, reply.body) }
      : reply;
  } catch (error) {
    session.in_flight.delete(id);
    throw error;
  }
}

async function* answering(session: ClientSession, id: RpcId, events: Exclude<Reply['body'], string>) {
  try {
    yield* events as AsyncIterable<Uint8Array>;
  } finally {
    session.in_flight.delete(id);
  }
}

/** The stream of `GET`, and the end of `DELETE`. */
export async function serveVerb(method: 'GET' | 'DELETE', session: ClientSession, headers: Headers): Promise<Reply> {
  const reply = await replyOf(await session.transport.handleRequest(sent(method, session, headers)));
  return typeof reply.body === 'string'
    ? reply
    : { ...reply, body: begunAtOnce(reply.body as AsyncIterable<Uint8Array>) };
}

/** As the library wants it; any form of Accept will do here. */
function sent(method: string, { id }: ClientSession, headers: Headers): Request {
  const version = headers['mcp-protocol-version'];
  return new Request('http://capstan/mcp/jsonrpc', {
    method,
    headers: {
      ...{ accept: 'application/json, text/event-stream', 'content-type': 'application/json', 'mcp-session-id': id },
      ...(typeof version === 'string' ? { 'mcp-protocol-version': version } : {}),
    },
  });
}
