import type { FetchLike } from '@modelcontextprotocol/client';
import { endOf } from '#core/end.ts';
import { tooLarge } from '#core/outbound/body.ts';
import type { OutboundFetch } from '#core/outbound/outbound.ts';
import { Problem } from '#core/problem/problem.ts';

/** What the requests of one piece of work met: the client's own errors do not always tell. */
export interface Met {
  /** The last answer's status; null where there was none. */
  status: number | null;
  /** `WWW-Authenticate` of the last answer. */
  challenge: string | null;
  /** Why the last request had no answer, or an answer no end. */
  problem: Problem | null;
}

/** One piece of work over a session: what it may cost, what it met, and what ends it. */
export interface Ledger {
  met: Met;
  /** Bytes that its answers may still have, of `max_bytes`. */
  left: number;
  max_bytes: number;
  /** Ends every request. */
  signal: AbortSignal;
  /** Called where an answer broke off, since the client would wait for the rest of it. */
  on_broken(problem: Problem): void;
}

export const newLedger = (max_bytes: number, signal: AbortSignal, on_broken: Ledger['on_broken']): Ledger => ({
  met: { status: null, challenge: null, problem: null },
  left: max_bytes,
  max_bytes,
  signal,
  on_broken,
});

export interface SessionFetchOptions {
  fetch: OutboundFetch;
  /** Sent with every request. */
  headers?: Record<string, string> | undefined;
  /** By the name that a request bears; the session's own for the others. */
  ledgerOf(work: string | null): Ledger;
}

/** On requests of the client, to tell one piece of work from another; taken off before anything is sent. */
export const WORK_HEADER = 'x-capstan-work';

/** The client's way out: through the guard, and never more bytes than the work may cost. */
export function sessionFetch({ fetch, headers, ledgerOf }: SessionFetchOptions): FetchLike {
  const guarded = async (url: string | URL, init: RequestInit = {}) => {
    const asked = new Headers(init.headers);
    const ledger = ledgerOf(asked.get(WORK_HEADER));
    asked.delete(WORK_HEADER);
    for (const [name, value] of Object.entries(headers ?? {})) if (!asked.has(name)) asked.set(name, value);
    const end = endOf({ with: [init.signal, ledger.signal] });
    try {
      const response = await fetch(url, {
        method: init.method,
        headers: [...asked],
        body: init.body as string | null | undefined,
        signal: end.signal,
        // The work's own deadline ends it; a stream stays open as long.
        timeout_ms: Number.POSITIVE_INFINITY,
        max_bytes: ledger.left,
      });
      ledger.met.status = response.status;
      ledger.met.challenge = response.headers.get('www-authenticate');
      return watched(response, { ledger, was_asked_for: init.method === 'POST', done: end.release });
    } catch (error) {
      end.release();
      if (error instanceof Problem) ledger.met.problem = error;
      throw error;
    }
  };
  return guarded as unknown as FetchLike;
}

interface Watch {
  ledger: Ledger;
  was_asked_for: boolean;
  /** Called when the body has ended, however. */
  done(): void;
}

function watched(response: Response, { ledger, was_asked_for, done }: Watch): Response {
  if (response.body === null) {
    done();
    return response;
  }
  const count = (bytes: number) => {
    ledger.left -= bytes;
    if (ledger.left < 0) throw tooLarge(ledger.max_bytes);
  };
  const on_broken = (problem: Problem) => {
    ledger.met.problem = problem;
    // What a server pushes on its own may end; what was asked for may not.
    if (was_asked_for || problem.code === 'outbound.too_large') ledger.on_broken(problem);
  };
  const body = counted(response.body as ReadableStream<Uint8Array>, { count, on_broken, done });
  return new Response(body, { status: response.status, headers: [...response.headers] });
}

interface Counting {
  count(bytes: number): void;
  on_broken(problem: Problem): void;
  done(): void;
}

function counted(
  body: ReadableStream<Uint8Array>,
  { count, on_broken, done: ended }: Counting,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) {
          ended();
          return controller.close();
        }
        count(value.byteLength);
        controller.enqueue(value);
      } catch (error) {
        ended();
        if (error instanceof Problem) on_broken(error);
        controller.error(error);
        await reader.cancel(error).catch(() => {});
      }
    },
    cancel: (reason) => {
      ended();
      return reader.cancel(reason);
    },
  });
}
