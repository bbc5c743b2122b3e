import { randomUUID } from 'node:crypto';
import { type AskPerson, QUESTION_MS, type QuestionAnswer } from '#core/mcp/questions.ts';
import { ALONE, type Threads } from '#core/threads/threads.ts';
import type { AskedId, Bound, CallResult, CallState, HandedCalls } from './handed-calls.ts';

/**
 * Calls of tools that wait for the person at an MCP client. The protocol ends a request with its questions, and the client
 * sends it again with the answers: the call to the server continues meanwhile, and is found again by its id, from any thread of its
 * process and through the database from any other process.
 */
export interface SuspendedCalls {
  /** Starts a call. Resolves with its result, or with its first question. A failure is thrown. */
  begin(
    of: Bound,
    signal: AbortSignal,
    act: (ask: AskPerson, signal: AbortSignal) => Promise<CallResult>,
  ): Promise<CallState>;
  /** Passes the answer of a question on. Null if no such call of this user waits for it. A failure is thrown. */
  resume(of: Bound, asked: AskedId, answer: QuestionAnswer, signal: AbortSignal): Promise<CallState | null>;
}

/** Calls that wait at the same time in one process; more questions are cancelled. */
const MOST_WAITING = 1_000;
/** Of one user, so that nobody takes every place. */
const MOST_OF_USER = 50;
/** What other processes received is looked for this often. */
const POLL_MS = 500;
const CLIENT_GONE = new Error('the client has gone');

interface Suspended {
  of: Bound;
  number: number;
  answer: PromiseWithResolvers<QuestionAnswer>;
  next: PromiseWithResolvers<CallState>;
  end: AbortController;
  /** Whether other processes can answer it. */
  is_open: boolean;
  /** Whether the call continues, or has ended. */
  is_answered: boolean;
  /** The call no longer ends with the request that began or continued it. */
  leave(): void;
}

/** @param handed Null for calls that only this process continues. */
export function openSuspendedCalls(handed: HandedCalls | null, threads: Threads = ALONE): SuspendedCalls {
  const waiting = new Map<string, Suspended>();
  /** Calls that continue for a request at another process. */
  const followed = new Map<string, { asked: AskedId; gone: AbortController }>();
  let isPolling = false;

  const countOf = (userId: string): number => [...waiting.values()].filter(({ of }) => of.user_id === userId).length;

  /** Until its next question, the call ends with this request of the client. */
  const follow = (call: Suspended, signal: AbortSignal): void => {
    const cancel = () => call.end.abort(signal.reason);
    if (signal.aborted) cancel();
    signal.addEventListener('abort', cancel, { once: true });
    call.leave = () => signal.removeEventListener('abort', cancel);
  };

  /** From now on, what comes of the call is for the request that answers: the call may end before the answer reaches it. */
  const take = (id: string, call: Suspended): void => {
    waiting.delete(id);
    call.next = Promise.withResolvers();
    call.next.promise.catch(() => {});
  };

  /** After `take`. An answer that comes too late is for no later question of the call. */
  const goOn = (call: Suspended, number: number, answer: QuestionAnswer, signal: AbortSignal): Promise<CallState> => {
    if (call.number === number) {
      follow(call, signal);
      call.answer.resolve(answer);
    }
    return call.next.promise;
  };

  /** What follows is left for the process that received the answer. */
  const goOnElsewhere = async (asked: AskedId, answer: QuestionAnswer, { give }: HandedCalls): Promise<void> => {
    const call = waiting.get(asked.id);
    if (call === undefined || call.number !== asked.number) return;
    const gone = new AbortController();
    followed.set(asked.id, { asked, gone });
    try {
      take(asked.id, call);
      const next = await goOn(call, asked.number, answer, gone.signal).catch((error: unknown) => ({ error }));
      await give(asked, next);
    } finally {
      followed.delete(asked.id);
    }
  };

  const look = async (all: HandedCalls): Promise<void> => {
    const open = [...waiting].flatMap(([id, { number, is_open }]) => (is_open ? [{ id, number }] : []));
    const { answered, gone } = await all.look(open);
    // The other process says that the call ended if its end cannot be left there.
    for (const { answer, ...asked } of answered) goOnElsewhere(asked, answer, all).catch(() => {});
    for (const { id, number } of gone) {
      const call = waiting.get(id);
      if (call?.number !== number) continue;
      call.end.abort(CLIENT_GONE);
      call.answer.resolve({ action: 'cancel' });
    }
    for (const { id } of await all.keep([...followed.values()].map(({ asked }) => asked)))
      followed.get(id)?.gone.abort(CLIENT_GONE);
  };

  const poll = async (all: HandedCalls): Promise<void> => {
    if (isPolling) return;
    isPolling = true;
    while (waiting.size + followed.size > 0) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS).unref());
      // Nothing is found while the database is unavailable.
      await look(all).catch(() => {});
    }
    isPolling = false;
  };

  const askOf =
    (id: string, call: Suspended): AskPerson =>
    async (question, ended) => {
      if (waiting.size >= MOST_WAITING || countOf(call.of.user_id) >= MOST_OF_USER) return { action: 'cancel' };
      call.leave();
      call.number += 1;
      call.answer = Promise.withResolvers();
      call.is_open = false;
      call.is_answered = false;
      waiting.set(id, call);
      const cancel = () => call.answer.resolve({ action: 'cancel' });
      const timer = setTimeout(cancel, QUESTION_MS).unref();
      // Nobody can continue a call that has ended.
      ended?.addEventListener('abort', cancel, { once: true });
      const asked = { id, number: call.number };
      // While the database is unavailable, only this process continues the call.
      call.is_open =
        handed !== null &&
        (await handed.open(call.of, asked).then(
          () => true,
          () => false,
        ));
      if (handed !== null) void poll(handed);
      call.next.resolve({ asked, question });
      return call.answer.promise.finally(async () => {
        call.is_answered = true;
        clearTimeout(timer);
        ended?.removeEventListener('abort', cancel);
        // Of a question that nobody answered.
        if (waiting.delete(id) && call.is_open) await handed?.claim(asked).catch(() => {});
      });
    };

  const resumeHere = async (
    of: Bound,
    { id, number }: AskedId,
    answer: QuestionAnswer,
    signal: AbortSignal,
  ): Promise<CallState | null> => {
    const call = waiting.get(id);
    if (call === undefined || call.number !== number) return null;
    if (call.of.user_id !== of.user_id || call.of.call !== of.call) return null;
    // Of two answers at once, only the first counts, in whichever process it arrived.
    take(id, call);
    if (call.is_open && !(await handed?.claim({ id, number }).catch(() => true))) {
      if (!call.is_answered) waiting.set(id, call);
      return null;
    }
    return goOn(call, number, answer, signal);
  };
  const resumeInEach = threads.inEach('connections.resume', resumeHere);

  return {
    begin: (of, signal, act) => {
      const call: Suspended = {
        of,
        number: 0,
        answer: Promise.withResolvers(),
        next: Promise.withResolvers(),
        end: new AbortController(),
        is_open: false,
        is_answered: false,
        leave: () => {},
      };
      follow(call, signal);
      const first = call.next.promise;
      act(askOf(randomUUID(), call), call.end.signal)
        .then(
          (done) => call.next.resolve({ done }),
          (error: unknown) => call.next.reject(error),
        )
        .finally(() => call.leave());
      return first;
    },
    resume: async (of, asked, answer, signal) => {
      const here = (await resumeInEach(of, asked, answer, signal)).find((state) => state !== null);
      return here ?? (handed === null ? null : handed.resume(of, asked, answer, signal));
    },
  };
}
