import type { Kysely } from 'kysely';
import type { Schema } from '../../platform/db/schema.ts';
import type { Log } from '../../platform/log.ts';
import type { Sending } from '../../platform/telemetry/sending.ts';
import { ALONE, type Threads } from '../../platform/threads/threads.ts';
import { insertSpans } from './spans.ts';
import { startTracing, type Tracing } from './tracing.ts';

export interface OpenTracingDeps {
  db: Kysely<Schema>;
  log: Pick<Log, 'warn'>;
  telemetry: Sending;
  threads?: Threads;
}

/** Tracing as the settings have it: into the table, and to the collector where one is named. */
export function openTracing({ db, log, telemetry, threads = ALONE }: OpenTracingDeps): Tracing {
  const { collectors, resource, losses } = telemetry;
  const tracing = startTracing({
    save: (spans) => insertSpans(db, spans),
    ...{ otlp: collectors.traces, resource },
    on_error: (error, lost) => {
      if (lost === 'saved') log.warn({ error }, 'spans could not be stored');
      else losses.lost('runs', error);
    },
  });
  const flush = threads.inEach('traces.flush', tracing.flush);
  return { ...tracing, flush: async () => void (await flush()) };
}
