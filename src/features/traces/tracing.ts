import { type Attributes, ROOT_CONTEXT, type Span, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base';
import { isoTime } from '../../platform/clock.ts';
import { SCHEMA_URL } from './conventions.ts';
import { redactAttributes, redactText } from './redact.ts';
import { SPAN_KINDS, SPAN_STATUSES, type StoredSpan } from './span.ts';

/** Where spans begin. Nothing is registered globally: who traces is given this. */
export interface Tracing {
  tracer: Tracer;
  /** Resolves when every span that has ended is saved, or was given up. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export interface TracingOptions {
  save(spans: StoredSpan[]): Promise<void>;
  /** Spans that could not be saved are lost; a run never fails for them. */
  on_error(error: unknown): void;
}

export function startTracing({ save, on_error }: TracingOptions): Tracing {
  const exporter: SpanExporter = {
    export: (spans, done) => {
      save(spans.map(storedSpan)).then(
        () => done({ code: 0 }),
        (error) => {
          on_error(error);
          done({ code: 1, error });
        },
      );
    },
    shutdown: async () => {},
  };
  const processor = new BatchSpanProcessor(exporter, { scheduledDelayMillis: 1_000 });
  const provider = new BasicTracerProvider({ sampler: new AlwaysOnSampler(), spanProcessors: [processor] });
  return {
    tracer: provider.getTracer('capstan', undefined, { schemaUrl: SCHEMA_URL }),
    flush: () => provider.forceFlush().catch(() => {}),
    close: () => provider.shutdown(),
  };
}

/**
 * Runs `act` in a span below `parent` (or at the root of a new trace) and ends it. A throw marks it as an error and
 * goes on; a failure that is an answer is marked by `act` itself.
 */
export async function inSpan<T>(
  tracer: Tracer,
  parent: Span | null,
  name: string,
  attributes: Attributes,
  act: (span: Span) => Promise<T>,
): Promise<T> {
  const context = parent === null ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, parent);
  const span = tracer.startSpan(name, { attributes }, context);
  try {
    return await act(span);
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR, message: (error as Error).message });
    throw error;
  } finally {
    span.end();
  }
}

/** `[seconds, nanoseconds]`. */
const milliseconds = ([seconds, nanoseconds]: readonly [number, number]): number => seconds * 1e3 + nanoseconds / 1e6;

function storedSpan(span: ReadableSpan): StoredSpan {
  const { traceId, spanId } = span.spanContext();
  const attributes = redactAttributes(span.attributes);
  if (span.status.message) attributes['otel.status_description'] = redactText(span.status.message);
  return {
    trace_id: traceId,
    span_id: spanId,
    parent_span_id: span.parentSpanContext?.spanId ?? null,
    name: redactText(span.name),
    kind: SPAN_KINDS[span.kind] ?? 'internal',
    started_at: isoTime(milliseconds(span.startTime)),
    duration_ms: Math.round(milliseconds(span.duration) * 1e3) / 1e3,
    status: SPAN_STATUSES[span.status.code] ?? 'unset',
    attributes,
    events: span.events.map(({ name, time, attributes }) => ({
      name,
      at: isoTime(milliseconds(time)),
      attributes: redactAttributes(attributes ?? {}),
    })),
  };
}
