import type { Kysely } from 'kysely';
import { Counter, type Registry } from 'prom-client';
import type { Schema } from '#core/db/schema.ts';
import type { Log } from '#core/log.ts';
import type { StorageGate } from '#core/storage/gate.ts';
import type { Sending } from '#core/telemetry/sending.ts';
import { ALONE, type Threads } from '#core/threads/threads.ts';
import { type AccountRoomOptions, accountRoom } from './account-room.ts';
import { type FitSpansOptions, fitSpans } from './fit-spans.ts';
import type { StoredSpan } from './span.ts';
import { insertSpans } from './spans.ts';
import { startTracing, type Tracing } from './tracing.ts';

interface OpenTracingDeps {
  db: Kysely<Schema>;
  log: Pick<Log, 'warn'>;
  telemetry: Sending;
  /** Absent in commands that end with their run. */
  metrics?: { registry: Registry };
  threads?: Threads;
  /** Limits what accounts store in spans. Absent in commands, whose operator has no account. */
  room?: Omit<AccountRoomOptions, 'db'>;
}

/** Tracing by the settings: into the table, and to the collector if configured. */
export function openTracing({ db, log, telemetry, metrics, room, threads = ALONE }: OpenTracingDeps): Tracing {
  const { collectors, resource, losses } = telemetry;
  const fit =
    room === undefined
      ? async (spans: StoredSpan[]) => spans
      : fitSpans({ ...accountRoom({ db, ...room }), ...counted(metrics?.registry, room.storage) });
  const refused = metrics === undefined ? null : countRefused(metrics.registry);
  const tracing = startTracing({
    save: async (spans) => {
      const count = await insertSpans(db, await fit(spans));
      if (count === 0) return;
      refused?.inc(count);
      log.warn({ spans: count }, 'spans rejected: trace already sealed');
    },
    otlp: collectors.traces,
    resource,
    on_error: (error, lost) => {
      if (lost === 'saved') log.warn({ error }, 'failed to store spans');
      else losses.lost('runs', error);
    },
  });
  const flush = threads.inEach('traces.flush', tracing.flush);
  return { ...tracing, flush: async () => void (await flush()) };
}

const countRefused = (registry: Registry) =>
  new Counter({
    name: 'capstan_spans_refused_total',
    help: 'Spans dropped because a receipt had already signed their trace.',
    registers: [registry],
  });

/** The metric `capstan_spans_cut_total`. */
function counted(registry: Registry | undefined, storage: StorageGate): Pick<FitSpansOptions, 'onCut' | 'onDropped'> {
  if (registry === undefined) return {};
  const counter = new Counter({
    name: 'capstan_spans_cut_total',
    help: 'Spans stored without their long texts, by the limit they exceeded, and spans dropped above the last limit.',
    labelNames: ['bound'],
    registers: [registry],
  });
  for (const bound of ['span', 'trace', 'account', 'dropped']) counter.inc({ bound }, 0);
  return {
    onCut: (bound, spans) => {
      counter.inc({ bound }, spans);
      if (bound === 'account') storage.cut('traces');
    },
    onDropped: (spans) => counter.inc({ bound: 'dropped' }, spans),
  };
}
