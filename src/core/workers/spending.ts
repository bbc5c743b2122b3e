/** Processor time that shares have spent on slow requests, forgotten at a steady rate. */
export interface Spending {
  /** What is not forgotten yet, in ms. */
  of(key: string): number;
  add(key: string, cpu_ms: number): void;
  /** Whether it has spent any in the last minute, or has not been forgiven all. */
  isSlow(key: string): boolean;
  /** In how many seconds the share will be within its budget again; 0 where it is now. */
  waitOf(key: string): number;
}

export interface SpendingOptions {
  /** Of processor time for each share. */
  budget_ms_per_minute: number;
  /** More than this is not noted, so that it is forgotten in bounded time. */
  most_ms?: number;
  /** In ms; for tests. */
  now?: () => number;
}

const SLOW_FOR_MS = 60_000;

/** Each entry was paid for with processor time, so there are never many; this only bounds what is not looked at again. */
const MOST_SHARES = 10_000;

export function createSpending({
  budget_ms_per_minute,
  most_ms = Number.POSITIVE_INFINITY,
  now = () => performance.now(),
}: SpendingOptions): Spending {
  const entries = new Map<string, { spent_ms: number; at_ms: number }>();
  const of = (key: string): number => {
    const entry = entries.get(key);
    if (entry === undefined) return 0;
    const left_ms = entry.spent_ms - ((now() - entry.at_ms) / 60_000) * budget_ms_per_minute;
    if (left_ms <= 0 && now() - entry.at_ms >= SLOW_FOR_MS) entries.delete(key);
    return Math.max(0, left_ms);
  };
  return {
    of,
    isSlow: (key) => of(key) > 0 || entries.has(key),
    add: (key, cpu_ms) => {
      const spent_ms = Math.min(most_ms, of(key) + cpu_ms);
      // The newest entry is the last one, so that the first is the one to forget.
      entries.delete(key);
      entries.set(key, { spent_ms, at_ms: now() });
      const [oldest] = entries.keys();
      if (entries.size > MOST_SHARES && oldest !== undefined) entries.delete(oldest);
    },
    waitOf: (key) => Math.max(0, Math.ceil(((of(key) - budget_ms_per_minute) / budget_ms_per_minute) * 60)),
  };
}
