import type { RunnableReason } from '#catalog/items/runnable.ts';

/** When a server and its host are probed again. Pure; all values in milliseconds. */

export const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MAX_MS = 30 * DAY_MS;
/** Upper limit of a host's Retry-After. */
const MAX_WAIT_MS = 365 * DAY_MS;

/** Exponential backoff: 1, 2, 4 … 30 days. */
const backoff = (failures: number): number => Math.min(MAX_MS, DAY_MS * 2 ** Math.max(0, Math.min(failures, 10) - 1));

/** Next probe of a server: a day after `ok`, with backoff after anything else. */
export const targetDueAt = (now_ms: number, failures: number): number => now_ms + backoff(failures);

/** A package is started again before its tools lapse; one whose version is not fixed may change any day. */
export const packageDueAt = (now_ms: number, failures: number, is_pinned: boolean): number =>
  failures > 0 ? targetDueAt(now_ms, failures) : now_ms + (is_pinned ? 25 : 7) * DAY_MS;

/** A package that could not be tried because its registry or the service failed: after 2, 4 … 24 hours. */
export const postponedUntil = (now_ms: number, failures: number): number =>
  now_ms + Math.min(DAY_MS, HOUR_MS * 2 ** Math.min(failures, 10));

/** Next probe of a host: with backoff while it does not respond, and never sooner than it asked for. */
export const hostFreeAt = (now_ms: number, failures: number, retry_after_ms: number | null): number =>
  Math.max(now_ms + backoff(failures), requestedUntil(now_ms, retry_after_ms ?? 0));

/** Until when the host asked us to wait. */
export const requestedUntil = (now_ms: number, retry_after_ms: number): number =>
  now_ms + Math.min(retry_after_ms, MAX_WAIT_MS);

/** Tools of a server that stops responding are deleted after this time. */
export const TOOLS_KEPT_MS = 30 * DAY_MS;

/** Whether the result delays probes of all servers on the host. */
export const isHostFailure = (reason: RunnableReason | null, told_to_wait: boolean): boolean =>
  reason === 'unreachable' || told_to_wait;
