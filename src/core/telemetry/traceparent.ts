import { type SpanContext, TraceFlags } from '@opentelemetry/api';

/** W3C Trace Context, Level 1: the header `traceparent`. Pure. */

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const MAX_LENGTH = 512;

/** Returns the caller's span context; null if the header is missing or malformed, so that a new trace begins. */
export function readTraceparent(header: string | string[] | undefined | null): SpanContext | null {
  if (typeof header !== 'string' || header.length > MAX_LENGTH) return null;
  const [, version, traceId, spanId, flags, more] = TRACEPARENT.exec(header) ?? [];
  if (version === undefined || version === 'ff') return null;
  // Later versions may have more fields after the four known ones; version 00 may not.
  if (version === '00' && more !== undefined) return null;
  if (/^0+$/.test(traceId as string) || /^0+$/.test(spanId as string)) return null;
  const sampled = Number.parseInt(flags as string, 16) & TraceFlags.SAMPLED;
  return { traceId: traceId as string, spanId: spanId as string, traceFlags: sampled, isRemote: true };
}

/** Returns the value for calls below this span, as `traceparent` or `_meta.traceparent`. */
export function traceparentOf(span: { spanContext(): SpanContext }): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${(traceFlags & TraceFlags.SAMPLED) === 0 ? '00' : '01'}`;
}
