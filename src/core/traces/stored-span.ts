import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { isoTime } from '#core/clock/clock.ts';
import { defined } from '#core/defined.ts';
import { ATTR } from './conventions.ts';
import { SPAN_KINDS, SPAN_STATUSES, type SpanLink, type SpanValue, type StoredSpan } from './span.ts';

/** Converts a redacted span to its row. Pure. */
export function storedSpan(span: ReadableSpan): StoredSpan {
  const { traceId, spanId } = span.spanContext();
  const { code, message } = span.status;
  const [link] = span.links;
  const { [ATTR.owner]: owner, ...attributes } = span.attributes;
  return {
    trace_id: traceId,
    span_id: spanId,
    parent_span_id: span.parentSpanContext?.spanId ?? null,
    name: span.name,
    kind: SPAN_KINDS[span.kind] ?? 'internal',
    started_at: isoTime(milliseconds(span.startTime)),
    duration_ms: Math.round(milliseconds(span.duration) * 1e3) / 1e3,
    status: SPAN_STATUSES[code] ?? 'unset',
    ...defined({ user_id: typeof owner === 'string' ? owner : undefined }),
    attributes: { ...valuesOf(attributes), ...defined({ 'otel.status_description': message || undefined }) },
    events: span.events.map(({ name, time, attributes }) => ({
      name,
      at: isoTime(milliseconds(time)),
      attributes: valuesOf(attributes),
    })),
    ...defined({ links: link === undefined ? undefined : [linkOf(link)] }),
  };
}

const linkOf = ({ context }: ReadableSpan['links'][number]): SpanLink => ({
  trace_id: context.traceId,
  span_id: context.spanId,
});

/** `[seconds, nanoseconds]`. */
const milliseconds = ([seconds, nanoseconds]: readonly [number, number]): number => seconds * 1e3 + nanoseconds / 1e6;

const valuesOf = (attributes: ReadableSpan['attributes'] | undefined): Record<string, SpanValue> =>
  ({ ...attributes }) as Record<string, SpanValue>;
