import { type Attributes, type Tracer, trace } from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { SERVICE } from '#core/service.ts';
import { type OtlpTarget, spanExporter } from '#core/telemetry/exporter.ts';
import { ATTR, SCHEMA_URL } from './conventions.ts';
import { redactSpan, withoutContent } from './redact-span.ts';
import type { StoredSpan } from './span.ts';
import { storedSpan } from './stored-span.ts';

/** OpenTelemetry's SDK with our exporters: batches of spans to the table and to a collector. */
export interface SpanProvider {
  tracer: Tracer;
  flush(): Promise<void>;
  close(): Promise<void>;
}

export interface TracingOptions {
  save(spans: StoredSpan[]): Promise<unknown>;
  /** Null stores spans only. */
  otlp?: OtlpTarget | null;
  /** The resource attributes. */
  resource?: Attributes;
  /** Spans that could not be saved or sent are lost; runs never fail because of them. */
  on_error(error: unknown, lost: 'saved' | 'sent'): void;
}

/** Spans that end faster than they can be written are dropped above this number. */
const MAX_WAITING = 8_192;
/** Small, because requests wait for the thread that redacts and for SQLite's thread that saves. */
const SAVED_AT_ONCE = 64;
const SENT_AT_ONCE = 512;
const EXPORT_TIMEOUT_MS = 10_000;

export function startProvider({ save, otlp = null, resource = {}, on_error }: TracingOptions): SpanProvider {
  const saving = new Set<Promise<void>>();
  const stored = batched(storing(save, saving), { delay_ms: 1_000, at_once: SAVED_AT_ONCE }, (error) =>
    on_error(error, 'saved'),
  );
  const sent =
    otlp === null
      ? []
      : [batched(sending(otlp), { delay_ms: 2_000, at_once: SENT_AT_ONCE }, (error) => on_error(error, 'sent'))];
  const provider = new BasicTracerProvider({
    sampler: new AlwaysOnSampler(),
    spanProcessors: [OWNED, stored, ...sent],
    resource: resourceFromAttributes(resource),
  });
  const flush = async (): Promise<void> => {
    await stored.forceFlush().catch(() => {});
    // The flush starts waiting batches but does not wait for those already started.
    await Promise.allSettled([...saving]);
  };
  return {
    tracer: provider.getTracer(SERVICE.name, SERVICE.version, { schemaUrl: SCHEMA_URL }),
    flush,
    close: async () => {
      // A rejecting collector ends the shutdown before pending spans are stored.
      await flush();
      await provider.shutdown().catch(() => {});
    },
  };
}

/** A span belongs to the same run, and so to the same owner, as its parent. */
const OWNED: SpanProcessor = {
  onStart: (span, context) => {
    const above = trace.getSpan(context) as { attributes?: Attributes } | undefined;
    const owner = above?.attributes?.[ATTR.owner];
    if (typeof owner === 'string') span.setAttribute(ATTR.owner, owner);
  },
  onEnd: () => {},
  forceFlush: async () => {},
  shutdown: async () => {},
};

const storing = (save: TracingOptions['save'], saving: Set<Promise<void>>): SpanExporter => ({
  export: (spans, done) => {
    const saved = save(spans.map(storedSpan)).then(
      () => done({ code: 0 }),
      (error) => done({ code: 1, error }),
    );
    saving.add(saved);
    void saved.finally(() => saving.delete(saved));
  },
  shutdown: async () => {},
});

function sending(target: OtlpTarget): SpanExporter {
  const exporter = spanExporter(target);
  return { ...exporter, export: (spans, done) => exporter.export(spans.map(withoutContent), done) };
}

/** Redacts every span that leaves, whatever its destination. */
function batched(
  exporter: SpanExporter,
  { delay_ms, at_once }: { delay_ms: number; at_once: number },
  onError: (error: unknown) => void,
): BatchSpanProcessor {
  const redacting: SpanExporter = {
    export: (spans: ReadableSpan[], done) =>
      exporter.export(spans.map(redactSpan), (result) => {
        if (result.code !== 0) onError(result.error ?? new Error('failed to store spans'));
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
  return new BatchSpanProcessor(redacting, {
    scheduledDelayMillis: delay_ms,
    exportTimeoutMillis: EXPORT_TIMEOUT_MS,
    maxQueueSize: MAX_WAITING,
    maxExportBatchSize: at_once,
  });
}
