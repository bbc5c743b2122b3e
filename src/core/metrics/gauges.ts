import { Counter, Gauge, type Registry } from 'prom-client';
import type { Clock } from '#core/clock/clock.ts';

/** Gauges, and counters kept elsewhere, whose values are read when metrics are requested. */

interface About {
  name: string;
  help: string;
  /** How to combine the values of several threads: `max` if each thread sees the same thing. */
  across?: 'sum' | 'max';
}

type Found<T> = T | null | Promise<T | null>;

/** Null omits the gauge, because an unknown number is not 0. */
export function readGauge(registry: Registry, { across = 'sum', ...about }: About, read: () => Found<number>): void {
  new Gauge({
    ...about,
    aggregator: across,
    registers: [registry],
    async collect() {
      const value = await read();
      if (value === null) this.remove();
      else this.set(value);
    },
  });
}

/** By the values of one label, which must be few and fixed: never ids or text of a request. */
export function readGauges(
  registry: Registry,
  { across = 'sum', label, ...about }: About & { label: string },
  read: () => Found<Iterable<readonly [string, number]>>,
): void {
  new Gauge({
    ...about,
    aggregator: across,
    labelNames: [label],
    registers: [registry],
    async collect() {
      const values = await read();
      this.reset();
      for (const [key, value] of values ?? []) this.set({ [label]: key }, value);
    },
  });
}

/** Exports counters that are kept elsewhere, by one label as above. */
export function readCounts(
  registry: Registry,
  { label, ...about }: { name: string; help: string; label: string },
  read: () => Iterable<readonly [string, number]>,
): void {
  new Counter({
    ...about,
    labelNames: [label],
    registers: [registry],
    collect() {
      this.reset();
      for (const [key, count] of read()) this.inc({ [label]: key }, count);
    },
  });
}

const KEPT_MS = 15_000;
const PATIENCE_MS = 1_000;

/**
 * Reads from the database at most every 15 s, however often metrics are requested. Null if it does not respond within a
 * second, so that an unavailable database does not prevent other metrics.
 */
export function keptReading<T>(clock: Clock, read: () => Promise<T>): () => Promise<T | null> {
  let kept: { at_ms: number; value: Promise<T | null> } | undefined;
  const fresh = (nowMs: number) => {
    const reading = { at_ms: nowMs, value: read().catch(() => null) };
    void reading.value.then((value) => {
      if (value === null && kept === reading) kept = undefined;
    });
    return reading;
  };
  return () => {
    const nowMs = clock.now();
    if (kept === undefined || kept.at_ms + KEPT_MS < nowMs) kept = fresh(nowMs);
    return withinPatience(kept.value);
  };
}

async function withinPatience<T>(value: Promise<T | null>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, null);
  });
  return Promise.race([value, late]).finally(() => clearTimeout(timer));
}
