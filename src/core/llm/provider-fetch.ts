import { setTimeout as sleep } from 'node:timers/promises';
import { isTransportFailure } from '#core/outbound/failure.ts';
import type { OperatorFetch } from '#core/outbound/operator-fetch.ts';
import { isProblem, Problem } from '#core/problem/problem.ts';
import { type Called, rateLimited, refused, timedOut, unavailable } from './failure.ts';

/** Sends one request to a provider, and retries only until the provider has started to respond. */

interface Sending {
  called: Called;
  retries: number;
  /** The caller's deadline as `performance.now()`: no wait goes beyond it. */
  ends_at_ms: number;
  /** Called when the provider has started to respond. From then on, the request counts and is not retried. */
  on_start: () => void;
}

const MAX_BYTES = 16 * 1024 * 1024;
const MAX_ERROR_BYTES = 16 * 1024;
const MAX_WAIT_MS = 60_000;
const FIRST_WAIT_MS = 500;

/** A fetch for the SDK. Returns successful responses and throws everything else as a Problem `llm.*`. */
export const providerFetch =
  (operator: OperatorFetch, sending: Sending): typeof globalThis.fetch =>
  async (url, init) => {
    const signal = init?.signal ?? new AbortController().signal;
    for (let attempt = 0; ; attempt++) {
      const tried = await attemptOnce(operator, sending, String(url), init, signal);
      if (tried instanceof Response) return tried;
      const waitMs = tried.wait_ms ?? FIRST_WAIT_MS * 2 ** attempt * (0.5 + Math.random() / 2);
      const ends = performance.now() + waitMs >= sending.ends_at_ms;
      if (!tried.again || attempt >= sending.retries || waitMs > MAX_WAIT_MS || ends) throw tried.problem;
      await sleep(waitMs, undefined, { signal }).catch(() => {
        throw signal.reason;
      });
    }
  };

interface Failed {
  problem: Problem;
  again: boolean;
  /** The delay that the provider requests; null if none. */
  wait_ms: number | null;
}

async function attemptOnce(
  operator: OperatorFetch,
  { called, on_start }: Sending,
  url: string,
  init: RequestInit | undefined,
  signal: AbortSignal,
): Promise<Response | Failed> {
  try {
    const response = await operator.fetch(url, {
      method: init?.method ?? 'GET',
      headers: init?.headers as Record<string, string>,
      body: (init?.body ?? null) as string | null,
      signal,
      max_bytes: MAX_BYTES,
    });
    if (!response.ok) return await failedBy(called, response);
    on_start();
    return response;
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (!(error instanceof Problem)) throw error;
    if (error.code === 'outbound.timeout') return { problem: timedOut(called), again: true, wait_ms: null };
    const why = isProblem(error, 'outbound.failed', 'redirect') ? 'its URL redirects' : 'it is unreachable';
    const again = isTransportFailure(error);
    return { problem: unavailable(called, why, error), again, wait_ms: null };
  }
}

async function failedBy(called: Called, response: Response): Promise<Failed> {
  const { status, headers } = response;
  const said = await errorText(response);
  const wait_ms = retryAfterMs(headers, Date.now());
  if (status === 429) return { problem: rateLimited(called, wait_ms), again: true, wait_ms };
  if (status === 408 || status >= 500)
    return { problem: unavailable(called, `it returned status ${status}`), again: true, wait_ms };
  return { problem: refused(called, status, said), again: false, wait_ms };
}

/** The message in an error body of any provider; "" if there is none. */
async function errorText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of response.body ?? []) {
      chunks.push(chunk as Uint8Array);
      if (chunks.reduce((sum, bytes) => sum + bytes.length, 0) > MAX_ERROR_BYTES) break;
    }
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    const said = body?.error?.message ?? body?.message ?? body?.error;
    return typeof said === 'string' ? said : '';
  } catch {
    return '';
  }
}

/** `Retry-After` in seconds or as a date, or OpenAI's header in milliseconds. */
function retryAfterMs(headers: Headers, nowMs: number): number | null {
  const exact = Number(headers.get('retry-after-ms') ?? Number.NaN);
  if (exact >= 0) return exact;
  const text = headers.get('retry-after');
  if (text === null) return null;
  if (/^\d{1,9}(\.\d+)?$/.test(text)) return Number(text) * 1_000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
}
