import { setTimeout as sleep } from 'node:timers/promises';
import type { Reply } from '#core/http/operation.ts';
import type { ClientSession, ClientSessions } from './client-sessions.ts';
import { begunAtOnce } from './response-reply.ts';
import { Refusal, RPC, refusalReply } from './rpc.ts';

/** The stream of `GET`, which carries nothing: messages of a call are in its response. */
interface SessionStreams {
  /** `gone` aborts when the client disconnects. */
  open(session: ClientSession, gone: AbortSignal): Reply;
  close(sessionId: string): void;
}

/** How often to check that its session is active; an open stream counts as use. */
const LOOK_EVERY_MS = 15_000;

export function sessionStreams(sessions: Pick<ClientSessions, 'standing'>, stopping: AbortSignal): SessionStreams {
  const streams = new Map<string, AbortController>();
  // The client reconnects to another process; otherwise shutdown would wait until the stream is cut.
  const closeAll = () => {
    for (const ending of streams.values()) ending.abort();
  };
  stopping.addEventListener('abort', closeAll, { once: true });
  return {
    open({ id }, gone) {
      if (streams.has(id))
        return refusalReply(new Refusal(409, RPC.invalid_request, 'A stream of this session is already open.'));
      const ending = new AbortController();
      streams.set(id, ending);
      ending.signal.addEventListener('abort', () => streams.delete(id), { once: true });
      gone.addEventListener('abort', () => ending.abort(), { once: true });
      const body = begunAtOnce(quiet(sessions, id, ending));
      return { status: 200, media_type: 'text/event-stream', body, headers: UNBUFFERED };
    },
    close: (sessionId) => streams.get(sessionId)?.abort(),
  };
}

/** Tells proxies not to buffer the response. */
export const UNBUFFERED = { 'x-accel-buffering': 'no' };

/** Until the session ends or the client disconnects. */
async function* quiet(sessions: Pick<ClientSessions, 'standing'>, id: string, ending: AbortController) {
  const { signal } = ending;
  for (;;) {
    await sleep(LOOK_EVERY_MS, undefined, { signal, ref: false }).catch(() => {});
    if (signal.aborted) return;
    if (!(await sessions.standing([id])).has(id)) return ending.abort();
    yield ': still here\n\n';
  }
}
