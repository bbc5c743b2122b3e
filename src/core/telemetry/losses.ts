import type { Registry } from 'prom-client';
import type { Log } from '#core/log.ts';
import { readCounts } from '#core/metrics/gauges.ts';

/** What was to be sent, as losses are counted and told. */
export type Sent = 'runs' | 'requests' | 'metrics';

export interface Losses {
  /** A batch was not taken. */
  lost(what: Sent, error: unknown): void;
  /** Batches that were not taken so far. */
  counts: ReadonlyMap<Sent, number>;
}

/** A collector that is gone is told once in this time, not with every batch. */
const TELL_EVERY_MS = 60_000;

export function countLosses(log: Pick<Log, 'warn'>): Losses {
  const counts = new Map<Sent, number>();
  const told_at_ms = new Map<Sent, number>();
  return {
    counts,
    lost(what, error) {
      counts.set(what, (counts.get(what) ?? 0) + 1);
      const now_ms = performance.now();
      if (now_ms - (told_at_ms.get(what) ?? Number.NEGATIVE_INFINITY) < TELL_EVERY_MS) return;
      told_at_ms.set(what, now_ms);
      log.warn({ error, sent: what }, 'OTLP export failed');
    },
  };
}

export const gaugeLosses = (registry: Registry, { counts }: Losses): void =>
  readCounts(
    registry,
    {
      name: 'capstan_collector_failures_total',
      help: 'Batches rejected by the OpenTelemetry collector, by signal.',
      label: 'sent',
    },
    () => counts,
  );
