import type { Kysely } from 'kysely';
import type { Schema } from '../../platform/db/schema.ts';
import type { Log } from '../../platform/log.ts';
import { ALONE, type Threads } from '../../platform/threads/threads.ts';
import { type CollectorConfig, collectorOf } from './settings.ts';
import { insertSpans } from './spans.ts';
import { startTracing, type Tracing } from './tracing.ts';

export interface OpenTracingDeps {
  db: Kysely<Schema>;
  log: Pick<Log, 'warn'>;
  config: CollectorConfig;
  threads?: Threads;
}

/** A collector that is gone is told once in this time, not with every batch. */
const TELL_EVERY_MS = 60_000;

/** Tracing as the settings have it: into the table, and to the collector where one is named. */
export function openTracing({ db, log, config, threads = ALONE }: OpenTracingDeps): Tracing {
  let told_at = Number.NEGATIVE_INFINITY;
  const tracing = startTracing({
    save: (spans) => insertSpans(db, spans),
    otlp: collectorOf(config),
    on_error: (error, lost) => {
      if (lost === 'saved') return log.warn({ error }, 'spans could not be stored');
      if (performance.now() - told_at < TELL_EVERY_MS) return;
      told_at = performance.now();
      log.warn({ error }, 'the collector did not take the spans');
    },
  });
  const flush = threads.inEach('traces.flush', tracing.flush);
  return { ...tracing, flush: async () => void (await flush()) };
}
