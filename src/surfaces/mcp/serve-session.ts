import type { Reply } from '#core/http/operation.ts';
import { addressOf, callInSession } from './call-in-session.ts';
import type { ClientSession, ClientSessions } from './client-sessions.ts';
import { carrying, type Exchange } from './exchange.ts';
import type { Library } from './library.ts';
import { openCalls } from './open-calls.ts';
import { Refusal, RPC, type RpcId, type RpcMessage } from './rpc.ts';
import type { SessionMail } from './session-mail.ts';
import { sessionStreams, UNBUFFERED } from './session-stream.ts';

/**
 * Messages within sessions. Any process serves any of them: this process holds its running calls, and messages for
 * calls of other processes are sent through the database.
 */
export interface ServeSession {
  message(library: Library, session: ClientSession, message: RpcMessage, exchange: Exchange): Promise<Reply>;
  stream(session: ClientSession, gone: AbortSignal): Reply;
  end(session: ClientSession): Promise<Reply>;
}

interface ServeSessionDeps {
  sessions: ClientSessions;
  mail: SessionMail;
  /** `stopping` aborts when the process begins to stop, `ended` when it no longer answers. */
  stopping: AbortSignal;
  ended: AbortSignal;
}

const EMPTY = { media_type: 'application/json', body: '' } as const;

export function serveSession({ sessions, mail, stopping, ended }: ServeSessionDeps): ServeSession {
  const calls = openCalls();
  // A question waits for minutes, and would keep a stopping process alive for as long.
  ended.addEventListener('abort', calls.closeAll, { once: true });
  const streams = sessionStreams(sessions, stopping);

  const begin = async (
    { makeServer }: Library,
    session: ClientSession,
    message: RpcMessage,
    exchange: Exchange,
  ): Promise<Reply> => {
    const id = message.id as RpcId;
    if (calls.has(session.id, id))
      throw new Refusal(400, RPC.invalid_request, 'A request with this id is still in progress.', id);
    const call = callInSession(makeServer(message.method ?? ''), session, message, carrying(exchange));
    const { addresses, take, close, events } = call;
    calls.keep(session.id, id, call);
    const stop = mail.listen({ session_id: session.id, addresses, take, gone: close });
    void call.over.then(stop);
    await call.begin();
    return { status: 200, media_type: 'text/event-stream', body: events, headers: UNBUFFERED };
  };

  /** Passes the message to the call that waits for it, here or in another process. */
  const pass = async (session_id: string, message: RpcMessage): Promise<void> => {
    const address = addressOf(message);
    if (address === null) return;
    const here = calls.waitingAt(session_id, address);
    if (here !== undefined) here.take(message);
    else await mail.post({ session_id, address }, message);
  };

  return {
    async message(library, session, message, exchange) {
      if (message.method !== undefined && message.id !== undefined) return begin(library, session, message, exchange);
      await pass(session.id, message);
      return { status: 202, ...EMPTY };
    },
    stream: streams.open,
    async end({ id }) {
      await sessions.end(id);
      calls.close(id);
      streams.close(id);
      return { status: 200, ...EMPTY };
    },
  };
}
