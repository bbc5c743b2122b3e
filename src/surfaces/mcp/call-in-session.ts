import { randomBytes } from 'node:crypto';
import type { AuthInfo, JSONRPCMessage, Server, Transport } from '@modelcontextprotocol/server';
import type { ClientSession } from './client-sessions.ts';
import type { RpcId, RpcMessage } from './rpc.ts';

/**
 * One request within a session: a server for this request only, which knows what its client declared at initialization,
 * and a transport whose messages are the events of its response. Questions to the client are marked with this call, so
 * that their answers find it in any process.
 */

export interface CallInSession {
  events: ReadableStream<string>;
  begin(): Promise<void>;
  /** Addresses of messages for this call: answers to its questions, and its cancellation. */
  addresses: readonly string[];
  take(message: RpcMessage): void;
  close(): void;
  /** Resolves when there will be no more events. */
  over: Promise<void>;
}

/** Proxies cut idle connections. */
const KEEP_ALIVE_MS = 15_000;
const CANCELLED = 'notifications/cancelled';
const PROGRESS = 'notifications/progress';

/** The address that waits for a response or notification; null if nothing waits for it. */
export function addressOf({ method, id, params }: RpcMessage): string | null {
  if (method === CANCELLED) return requestAddress((params?.requestId ?? null) as RpcId);
  const marked = method === undefined ? id : method === PROGRESS ? params?.progressToken : null;
  const mark = typeof marked === 'string' ? /^([0-9a-f]{24})\.\d{1,9}$/.exec(marked)?.[1] : undefined;
  return mark === undefined ? null : `call ${mark}`;
}

const requestAddress = (id: RpcId): string => `request ${JSON.stringify(id)}`.slice(0, 300);

export function callInSession(
  server: Server,
  { id: session_id, hello }: ClientSession,
  request: RpcMessage,
  authInfo: AuthInfo,
): CallInSession {
  const mark = randomBytes(12).toString('hex');
  const { events, say, end } = eventStream();
  let isOver = false;
  const over = Promise.withResolvers<void>();
  const greeted = Promise.withResolvers<void>();
  const transport: Transport = {
    sessionId: session_id,
    start: async () => {},
    send: async (message) => {
      if (isResponseTo(message, mark)) return greeted.resolve();
      say(`event: message\ndata: ${JSON.stringify(marked(message, mark))}\n\n`);
      if (isResponseTo(message, request.id)) await transport.close();
    },
    close: async () => {
      if (isOver) return;
      isOver = true;
      end();
      over.resolve();
      transport.onclose?.();
    },
  };
  const hand = (message: RpcMessage): void => transport.onmessage?.(message as JSONRPCMessage, { authInfo });
  const close = () => void transport.close();
  const begin = async (): Promise<void> => {
    await server.connect(transport);
    hand({ jsonrpc: '2.0', id: mark, method: 'initialize', params: hello });
    await greeted.promise;
    hand(request);
  };
  return {
    events,
    begin,
    close,
    over: over.promise,
    addresses: [`call ${mark}`, requestAddress(request.id ?? null)],
    take: (message) => {
      hand(unmarked(message));
      // A cancelled call sends nothing more.
      if (message.method === CANCELLED) close();
    },
  };
}

function eventStream() {
  let controller: ReadableStreamDefaultController<string> | null = null;
  const say = (text: string): void => controller?.enqueue(text);
  const timer = setInterval(() => say(': still here\n\n'), KEEP_ALIVE_MS).unref();
  const stop = (): void => {
    clearInterval(timer);
    controller = null;
  };
  const events = new ReadableStream<string>({
    start: (stream) => {
      controller = stream;
    },
    cancel: stop,
  });
  const end = (): void => {
    controller?.close();
    stop();
  };
  return { events, say, end };
}

const isResponseTo = (message: JSONRPCMessage, id: unknown): boolean => !('method' in message) && message.id === id;

/** The library numbers questions from 0 in each server, so two calls of one session would use the same id. */
function marked(message: JSONRPCMessage, mark: string): JSONRPCMessage {
  if (!('method' in message)) return message;
  const params = (message.params ?? {}) as Record<string, unknown>;
  const of = (number: unknown): string => `${mark}.${number}`;
  if (message.method === CANCELLED) return { ...message, params: { ...params, requestId: of(params.requestId) } };
  if (!('id' in message)) return message;
  const { progressToken, ...meta } = (params._meta ?? {}) as Record<string, unknown>;
  const _meta = progressToken === undefined ? meta : { ...meta, progressToken: of(progressToken) };
  return { ...message, id: of(message.id), params: { ...params, _meta } } as JSONRPCMessage;
}

function unmarked(message: RpcMessage): RpcMessage {
  const numberOf = (text: unknown): number => Number(`${text}`.split('.')[1]);
  if (message.method === undefined) return { ...message, id: numberOf(message.id) };
  if (message.method !== PROGRESS) return message;
  return { ...message, params: { ...message.params, progressToken: numberOf(message.params?.progressToken) } };
}
