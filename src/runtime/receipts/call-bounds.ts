import type { Kysely } from 'kysely';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import { coreProblem } from '#core/errors.ts';
import { refusalHeaders } from '#core/limits/rate-limit-headers.ts';
import { takeFrom } from '#core/limits/rate-windows.ts';
import { takeAhead } from '#core/limits/take-ahead.ts';
import { runtimeProblem } from '#runtime/errors.ts';

/** Bounds of what recorded tool calls store: rows by account and day, and rows that wait in memory. */

const DAY_MS = 86_400_000;
/** Calls per database write. A process that stops loses at most this many of each account's limit. */
const MOST_AHEAD = 20;

interface DailyDeps {
  db: Kysely<Schema>;
  clock: Clock;
  calls_per_day: number;
}

/** Counts a call of an account, or throws `receipts.limit_exceeded`. The operator has no limit. */
export function dailyCalls({ db, clock, calls_per_day }: DailyDeps): (user_id: string | null) => Promise<void> {
  const limit = { name: 'tool-calls', count: calls_per_day, window_ms: DAY_MS };
  const take = takeAhead((...asked) => takeFrom(db, ...asked), MOST_AHEAD);
  return async (user_id) => {
    if (user_id === null) return;
    const nowMs = clock.now();
    const { is_free, used, wait_ms } = await take(limit, user_id, nowMs);
    if (is_free) return;
    throw runtimeProblem(
      'receipts.limit_exceeded',
      `You have made ${calls_per_day} tool calls in 24 hours, the limit. The tool was not called. Retry after ` +
        `${isoTime(nowMs + wait_ms)}.`,
      { headers: refusalHeaders({ policy: limit.name, count: limit.count, window_ms: DAY_MS, used, wait_ms }) },
    );
  };
}

/** Of one account in one process, so that a flood of one leaves room for others. */
const MOST_OF_USER = 256;
/** Of one process: about 30 MB. */
const MOST = 8_192;

/** Reserves memory for a call until its end is stored. Returns what gives it back; throws if there is none left. */
export function callPlaces(): (user_id: string | null) => () => void {
  const taken = new Map<string | null, number>();
  let all = 0;
  return (user_id) => {
    const own = taken.get(user_id) ?? 0;
    if (own >= MOST_OF_USER) throw tooManyOpen();
    if (all >= MOST) throw busy();
    taken.set(user_id, own + 1);
    all++;
    return () => {
      all--;
      const left = (taken.get(user_id) ?? 1) - 1;
      if (left === 0) taken.delete(user_id);
      else taken.set(user_id, left);
    };
  };
}

const SOON = { 'retry-after': '1' };

const tooManyOpen = () =>
  coreProblem('http.limit_exceeded', `You have ${MOST_OF_USER} tool calls in progress, the limit.`, {
    reason: 'concurrency',
    headers: SOON,
  });

const busy = () =>
  coreProblem('http.unavailable', 'Too many tool calls are in progress. Retry in 1 s.', {
    reason: 'tool_calls',
    headers: SOON,
  });
