import type { FetchLike } from '@modelcontextprotocol/client';
import { endOf } from '#core/end.ts';
import { type BodyListener, tooLarge } from '#core/outbound/body.ts';
import type { OutboundFetch } from '#core/outbound/outbound.ts';
import { isProblem, Problem } from '#core/problem/problem.ts';
import { partsCounter } from './answer-parts.ts';

/** What the requests of one piece of work received, because the client's own errors do not always say. */
export interface Met {
  /** Status of the last response; null without one. */
  status: number | null;
  /** `WWW-Authenticate` of the last response. */
  challenge: string | null;
  /** Why the last request had no response, or an incomplete one. */
  problem: Problem | null;
}

/** Accounting of one piece of work in a session: its limits, its responses, and its signal. */
export interface Ledger {
  met: Met;
  /** Bytes left of `max_bytes` for its responses. */
  left: number;
  max_bytes: number;
  /** Ends every request. */
  signal: AbortSignal;
  /** Called when a response breaks off, because the client would wait for the rest. */
  on_broken(problem: Problem): void;
}

export const newLedger = (max_bytes: number, signal: AbortSignal, on_broken: Ledger['on_broken']): Ledger => ({
  met: { status: null, challenge: null, problem: null },
  left: max_bytes,
  max_bytes,
  signal,
  on_broken,
});

interface SessionFetchOptions {
  fetch: OutboundFetch;
  /** Sent with every request. */
  headers?: Record<string, string> | undefined;
  /** Finds the accounting by the name in a request; null is the session's own. */
  ledgerOf(work: string | null): Ledger;
  /** Called when the stream opens or closes on which a server of 2025 announces changes. */
  on_channel?: ((isOpen: boolean) => void) | undefined;
}

/** Marks requests of the client with their piece of work. Removed before sending. */
export const WORK_HEADER = 'x-capstan-work';

/** The fetch of the client: uses the egress guard and limits the bytes of each piece of work. */
export function sessionFetch({ fetch, headers, ledgerOf, on_channel }: SessionFetchOptions): FetchLike {
  const guarded = async (url: string | URL, init: RequestInit = {}) => {
    const asked = new Headers(init.headers);
    const ledger = ledgerOf(asked.get(WORK_HEADER));
    asked.delete(WORK_HEADER);
    for (const [name, value] of Object.entries(headers ?? {})) if (!asked.has(name)) asked.set(name, value);
    const end = endOf({ with: [init.signal, ledger.signal] });
    const isPost = init.method === 'POST';
    // Another GET resumes the response to one request.
    const isChannel = init.method === 'GET' && !asked.has('last-event-id');
    try {
      const response = await fetch(url, {
        method: init.method,
        headers: [...asked],
        body: init.body as string | null | undefined,
        signal: end.signal,
        // The deadline of the work applies; a stream stays open until then.
        timeout_ms: Number.POSITIVE_INFINITY,
        max_bytes: ledger.left,
        on_body: ({ status, headers: sent }) => {
          const isOpen = isChannel && status >= 200 && status < 300;
          if (isOpen) on_channel?.(true);
          const ended = () => {
            end.release();
            if (isOpen) on_channel?.(false);
          };
          return listenerOf(ledger, { is_events: isEventStream(sent), was_asked_for: isPost, ended });
        },
      });
      ledger.met.status = response.status;
      ledger.met.challenge = response.headers.get('www-authenticate');
      if (response.body === null) end.release();
      return response;
    } catch (error) {
      end.release();
      if (error instanceof Problem) ledger.met.problem = error;
      throw error;
    }
  };
  return guarded as unknown as FetchLike;
}

const isEventStream = (headers: Pick<Headers, 'get'>): boolean =>
  headers.get('content-type')?.startsWith('text/event-stream') === true;

interface Listening {
  is_events: boolean;
  /** False for a stream that the server pushes: it may end, but a requested response may not. */
  was_asked_for: boolean;
  ended(): void;
}

function listenerOf(ledger: Ledger, { is_events, was_asked_for, ended }: Listening): BodyListener {
  const countParts = partsCounter(is_events);
  return {
    piece: (bytes) => {
      ledger.left -= bytes.byteLength;
      if (ledger.left < 0) throw tooLarge(ledger.max_bytes);
      countParts(bytes);
    },
    broken: (error) => {
      if (!(error instanceof Problem)) return;
      ledger.met.problem = error;
      if (was_asked_for || isProblem(error, 'outbound.failed', 'too_large')) ledger.on_broken(error);
    },
    ended,
  };
}
