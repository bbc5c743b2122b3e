import type { FetchLike } from '@modelcontextprotocol/client';
import { tooLarge } from '../outbound/body.ts';
import type { OutboundFetch } from '../outbound.ts';
import { Problem } from '../problem.ts';

/** What the requests of one session met: the client's own errors do not always tell. */
export interface Met {
  /** The last answer's status; null where there was none. */
  status: number | null;
  /** Why the last request had no answer, or an answer no end. */
  problem: Problem | null;
}

export interface SessionFetchOptions {
  fetch: OutboundFetch;
  /** Of all answers together. */
  max_bytes: number;
  /** Ends every request. */
  signal: AbortSignal;
  /** Sent with every request. */
  headers?: Record<string, string> | undefined;
  /** Called where an answer broke off, since the client would wait for the rest of it. */
  on_broken(problem: Problem): void;
}

export interface SessionFetch {
  fetch: FetchLike;
  met: Met;
}

/** The client's way out: through the guard, and never more bytes in a session than it may cost. */
export function sessionFetch({ fetch, max_bytes, signal, headers, on_broken }: SessionFetchOptions): SessionFetch {
  const met: Met = { status: null, problem: null };
  let left = max_bytes;
  const count = (bytes: number) => {
    left -= bytes;
    if (left < 0) throw tooLarge(max_bytes);
  };
  const guarded = async (url: string | URL, init: RequestInit = {}) => {
    try {
      const response = await fetch(url, {
        method: init.method,
        headers: [...new Headers({ ...headers, ...Object.fromEntries(new Headers(init.headers)) })],
        body: init.body as string | null | undefined,
        signal: init.signal ? AbortSignal.any([init.signal, signal]) : signal,
        // The session's own deadline ends it; a stream stays open as long.
        timeout_ms: Number.POSITIVE_INFINITY,
        max_bytes: left,
      });
      met.status = response.status;
      if (response.body === null) return response;
      const body = counted(response.body as ReadableStream<Uint8Array>, count, (problem) => {
        met.problem = problem;
        // What a server pushes on its own may end; what was asked for may not.
        if (init.method === 'POST' || problem.code === 'outbound.too_large') on_broken(problem);
      });
      return new Response(body, { status: response.status, headers: [...response.headers] });
    } catch (error) {
      if (error instanceof Problem) met.problem = error;
      throw error;
    }
  };
  return { fetch: guarded as unknown as FetchLike, met };
}

function counted(
  body: ReadableStream<Uint8Array>,
  count: (bytes: number) => void,
  on_broken: (problem: Problem) => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        count(value.byteLength);
        controller.enqueue(value);
      } catch (error) {
        if (error instanceof Problem) on_broken(error);
        controller.error(error);
        await reader.cancel(error).catch(() => {});
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
