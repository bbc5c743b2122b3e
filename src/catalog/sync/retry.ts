import { setTimeout as sleep } from 'node:timers/promises';
import { isTransportFailure } from '#core/outbound/failure.ts';
import { Problem } from '#core/problem/problem.ts';

/** Which failed requests are retried, and when. */

export interface RetryPolicy {
  /** Number of retries. */
  retries: number;
  base_ms: number;
  /** A longer wait ends the run instead. */
  max_wait_ms: number;
  /** Returns 0..1; tests replace it. */
  random: () => number;
}

export const politeRetries: RetryPolicy = { retries: 3, base_ms: 1_000, max_wait_ms: 60_000, random: Math.random };

const TEMPORARY = new Set([408, 425, 429, 500, 502, 503, 504, 507, 520, 521, 522, 523, 524]);

export const isTemporary = (error: unknown): boolean =>
  isTransportFailure(error) ||
  (error instanceof Problem && TEMPORARY.has(Number(error.extensions.upstream_status ?? 0)));

/** `Retry-After`, in seconds or as an HTTP date, as milliseconds from now. Null if missing or invalid. */
export function retryAfter(value: string | null, now_ms: number): number | null {
  const text = value?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  if (!/[a-z]/i.test(text)) return null;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - now_ms);
}

/** Retries with exponential backoff and full jitter, never sooner than the provider asked for. */
export async function withRetries<T>(policy: RetryPolicy, signal: AbortSignal, attempt: () => Promise<T>): Promise<T> {
  for (let retry = 0; ; retry++) {
    try {
      return await attempt();
    } catch (error) {
      if (signal.aborted || retry >= policy.retries || !isTemporary(error)) throw error;
      const askedMs = Number((error as Problem).extensions.retry_after_ms ?? 0);
      const waitMs = Math.max(askedMs, policy.base_ms * 2 ** retry * policy.random());
      if (waitMs > policy.max_wait_ms) throw error;
      await sleep(waitMs, undefined, { signal });
    }
  }
}
