import type { JSONRPCRequest } from '@modelcontextprotocol/server';
import type { Reply } from '#core/http/operation.ts';
import { carrying, type Exchange } from './exchange.ts';
import { replyOf } from './response-reply.ts';
import type { RpcMessage } from './rpc.ts';
import type { Sdk } from './sdk.ts';
import type { MakeServer } from './serving.ts';

/** One message of the older revisions without a session: a server for it alone, and nothing is stored. */

interface AloneOptions {
  sdk: Sdk;
  makeServer: MakeServer;
  message: RpcMessage;
  exchange: Exchange;
  /** Aborts when the client disconnects, and ends the call. */
  gone: AbortSignal;
}

export async function serveAlone({ sdk, makeServer, message, exchange, gone }: AloneOptions): Promise<Reply> {
  const transport = new sdk.PerRequestHTTPServerTransport({ classification: { era: 'legacy' } });
  await makeServer(message.method as string).connect(transport);
  const end = () => void transport.close();
  gone.addEventListener('abort', end, { once: true });
  try {
    const response = await transport.handleMessage(message as JSONRPCRequest, { authInfo: carrying(exchange) });
    // In these revisions, a protocol error is a normal response; 404 would mean that a session has ended.
    const reply = await replyOf(response);
    return reply.status === 404 ? { ...reply, status: 200 } : reply;
  } catch (error) {
    if (!gone.aborted) throw error;
    return { status: 499, media_type: 'application/json', body: '' };
  }
}
