/** Processor time that shares have spent on slow requests, which decays at a steady rate. */
interface Spending {
  /** Remaining time in ms. */
  of(key: string): number;
  add(key: string, cpuMs: number): void;
  /** True if the share has spent any in the last minute, or some of it has not decayed yet. */
  isSlow(key: string): boolean;
  /** Seconds until the share is within its budget; 0 if it is now. */
  waitOf(key: string): number;
}

interface SpendingOptions {
  /** Processor time per share. */
  budget_ms_per_minute: number;
  /** Maximum that is recorded, so that it decays in limited time. */
  most_ms?: number;
  /** In ms; for tests. */
  now?: () => number;
}

const SLOW_FOR_MS = 60_000;

/** Each entry costs processor time, so there are never many. This only limits abandoned ones. */
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
    const leftMs = entry.spent_ms - ((now() - entry.at_ms) / 60_000) * budget_ms_per_minute;
    if (leftMs <= 0 && now() - entry.at_ms >= SLOW_FOR_MS) entries.delete(key);
    return Math.max(0, leftMs);
  };
  return {
    of,
    isSlow: (key) => of(key) > 0 || entries.has(key),
    add: (key, cpuMs) => {
      const spent_ms = Math.min(most_ms, of(key) + cpuMs);
      // Moves the entry to the end, so that the first is the oldest.
      entries.delete(key);
      entries.set(key, { spent_ms, at_ms: now() });
      const [oldest] = entries.keys();
      if (entries.size > MOST_SHARES && oldest !== undefined) entries.delete(oldest);
    },
    waitOf: (key) => Math.max(0, Math.ceil(((of(key) - budget_ms_per_minute) / budget_ms_per_minute) * 60)),
  };
}
