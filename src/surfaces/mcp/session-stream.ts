import { setTimeout as sleep } from 'node:timers/promises';
import type { Reply } from '#core/http/operation.ts';
import type { ClientSession, ClientSessions } from './client-sessions.ts';
import { begunAtOnce } from './response-reply.ts';
import { Refusal, RPC, refusalReply } from './rpc.ts';

/** The stream of `GET`, on which nothing is told: what belongs to a call is told in its answer. */
export interface SessionStreams {
  /** `gone` is aborted when nobody listens any more. */
  open(session: ClientSession, gone: AbortSignal): Reply;
  close(session_id: string): void;
}

/** How often it looks whether its session stands; a session that is listened to is in use. */
const LOOK_EVERY_MS = 15_000;

export function sessionStreams(sessions: Pick<ClientSessions, 'standing'>, stopping: AbortSignal): SessionStreams {
  const streams = new Map<string, AbortController>();
  // Its client comes again, to whoever serves then; until it was cut, the stop would wait for it.
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
    close: (session_id) => streams.get(session_id)?.abort(),
  };
}

/** Proxies that gather answers before they pass them on are told not to. */
export const UNBUFFERED = { 'x-accel-buffering': 'no' };

/** Until the session is over, or nobody listens. */
async function* quiet(sessions: Pick<ClientSessions, 'standing'>, id: string, ending: AbortController) {
  const { signal } = ending;
  for (;;) {
    await sleep(LOOK_EVERY_MS, undefined, { signal, ref: false }).catch(() => {});
    if (signal.aborted) return;
    if (!(await sessions.standing([id])).has(id)) return ending.abort();
    yield ': still here\n\n';
  }
}
