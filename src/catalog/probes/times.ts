import type { RunnableReason } from '#catalog/items/runnable.ts';

/** When a server and its host are visited again. Pure; all in milliseconds. */

export const DAY_MS = 86_400_000;
const LONGEST_MS = 30 * DAY_MS;
/** However long a host asks us to stay away. */
const LONGEST_WAIT_MS = 365 * DAY_MS;

/** One day, then two, four … thirty. */
const growing = (failures: number): number =>
  Math.min(LONGEST_MS, DAY_MS * 2 ** Math.max(0, Math.min(failures, 10) - 1));

/** Of a server: a day after it was `ok`, later and later after anything else. */
export const targetDueAt = (now_ms: number, failures: number): number => now_ms + growing(failures);

/** Of its host: never sooner than it asked for, and later and later while it does not answer. */
export const hostFreeAt = (now_ms: number, failures: number, retry_after_ms: number | null): number =>
  Math.max(now_ms + growing(failures), askedUntil(now_ms, retry_after_ms ?? 0));

/** Until when it asked to be left alone. */
export const askedUntil = (now_ms: number, retry_after_ms: number): number =>
  now_ms + Math.min(retry_after_ms, LONGEST_WAIT_MS);

/** What a server does not show any more is forgotten after this time. */
export const TOOLS_KEPT_MS = 30 * DAY_MS;

/** A host that did not answer, or asked us to wait, is left alone as a whole. */
export const isHostFailure = (reason: RunnableReason | null, told_to_wait: boolean): boolean =>
  reason === 'unreachable' || told_to_wait;
