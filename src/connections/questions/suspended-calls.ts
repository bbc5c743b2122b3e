import { randomUUID } from 'node:crypto';
import { type AskPerson, QUESTION_MS, type QuestionAnswer, type ServerQuestion } from '#core/mcp/questions.ts';
import { ALONE, type Threads } from '#core/threads/threads.ts';

/**
 * Calls of tools that wait for the person at an MCP client. The protocol ends a request with its questions, and the client
 * sends it again with the answers: the call to the server continues meanwhile, and is found again by its id.
 */
/** Plain data, because another thread may have the call. */
type CallResult = Record<string, unknown>;

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

/** A call is continued by the same user with the same arguments only. */
export interface Bound {
  user_id: string;
  call: string;
}

export interface AskedId {
  id: string;
  /** Of the question in its call, from 1. */
  number: number;
}

type CallState = { done: CallResult } | { asked: AskedId; question: ServerQuestion };

/** Calls that wait at the same time in one process; more questions are cancelled. */
const MOST_WAITING = 1_000;
/** Of one user, so that nobody takes every place. */
const MOST_OF_USER = 50;

interface Suspended {
  of: Bound;
  number: number;
  answer: PromiseWithResolvers<QuestionAnswer>;
  next: PromiseWithResolvers<CallState>;
  end: AbortController;
  /** The call no longer ends with the request that began or continued it. */
  leave(): void;
}

export function openSuspendedCalls(threads: Threads = ALONE): SuspendedCalls {
  const waiting = new Map<string, Suspended>();

  const countOf = (userId: string): number => [...waiting.values()].filter(({ of }) => of.user_id === userId).length;

  /** Until its next question, the call ends with this request of the client. */
  const follow = (call: Suspended, signal: AbortSignal): void => {
    const cancel = () => call.end.abort(signal.reason);
    if (signal.aborted) cancel();
    signal.addEventListener('abort', cancel, { once: true });
    call.leave = () => signal.removeEventListener('abort', cancel);
  };

  const askOf =
    (id: string, call: Suspended): AskPerson =>
    async (question) => {
      if (waiting.size >= MOST_WAITING || countOf(call.of.user_id) >= MOST_OF_USER) return { action: 'cancel' };
      call.leave();
      call.number += 1;
      call.answer = Promise.withResolvers();
      waiting.set(id, call);
      const timer = setTimeout(() => call.answer.resolve({ action: 'cancel' }), QUESTION_MS).unref();
      call.next.resolve({ asked: { id, number: call.number }, question });
      return call.answer.promise.finally(() => {
        clearTimeout(timer);
        waiting.delete(id);
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
    waiting.delete(id);
    call.next = Promise.withResolvers();
    follow(call, signal);
    call.answer.resolve(answer);
    return call.next.promise;
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
    resume: async (...asked) => (await resumeInEach(...asked)).find((state) => state !== null) ?? null,
  };
}
