import type { Registry } from 'prom-client';
import type { Log } from '#core/log.ts';
import { readCounts } from '#core/metrics/gauges.ts';

/** Signals, for counting and logging lost batches. */
type Sent = 'runs' | 'requests' | 'metrics';

export interface Losses {
  /** A batch was rejected. */
  lost(what: Sent, error: unknown): void;
  /** Rejected batches so far. */
  counts: ReadonlyMap<Sent, number>;
}

/** An unavailable collector is logged once per minute, not with every batch. */
const TELL_EVERY_MS = 60_000;

export function countLosses(log: Pick<Log, 'warn'>): Losses {
  const counts = new Map<Sent, number>();
  const toldAtMs = new Map<Sent, number>();
  return {
    counts,
    lost(what, error) {
      counts.set(what, (counts.get(what) ?? 0) + 1);
      const nowMs = performance.now();
      if (nowMs - (toldAtMs.get(what) ?? Number.NEGATIVE_INFINITY) < TELL_EVERY_MS) return;
      toldAtMs.set(what, nowMs);
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
