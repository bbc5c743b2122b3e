import canonicalize from 'canonicalize';
import type { Static } from 'typebox';
import { sha256 } from '#core/crypto/sha256.ts';
import { Type } from '#core/json-schema/type.ts';
import { SPAN_KINDS, SPAN_STATUSES, type StoredSpan } from './span.ts';

/** A trace in the API, and the digest by which a receipt refers to it. Pure. */

const Scalar = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]);
const Attributes = Type.Record(Type.String(), Type.Union([Scalar, Type.Array(Scalar)]), {
  description:
    'OpenTelemetry attributes for generative AI; service-specific ones begin with `capstan.`. Secrets are ' +
    'redacted.',
});
const Time = Type.String({ format: 'date-time' });

export const TraceSpan = Type.Object({
  span_id: Type.String({ description: '16 hex digits.' }),
  parent_span_id: Type.Union([Type.String(), Type.Null()], {
    description: 'Parent span in this trace; null for the root.',
  }),
  name: Type.String(),
  kind: Type.Enum([...SPAN_KINDS]),
  started_at: Time,
  duration_ms: Type.Number(),
  status: Type.Enum([...SPAN_STATUSES]),
  attributes: Attributes,
  events: Type.Array(Type.Object({ name: Type.String(), at: Time, attributes: Attributes })),
  links: Type.Optional(
    Type.Array(Type.Object({ trace_id: Type.String(), span_id: Type.String() }), {
      description:
        'Spans of other traces that caused this one, from the `traceparent` of the request that started the run.',
    }),
  ),
});
export type TraceSpan = Static<typeof TraceSpan>;

export const TraceAnswer = Type.Object({
  trace_id: Type.String({ description: '32 hex digits.' }),
  spans: Type.Array(TraceSpan, {
    description:
      'Ordered by start time. The SHA-256 of this list as canonical JSON (RFC 8785) is the `trace.digest` ' +
      'of the receipt.',
  }),
});
export type TraceAnswer = Static<typeof TraceAnswer>;

export const traceAnswer = (trace_id: string, spans: readonly StoredSpan[]): TraceAnswer => ({
  trace_id,
  spans: [...spans].sort(byStart).map(wireSpan),
});

/** SHA-256, in hex, of the canonical JSON of a trace's spans as in the API, in any order. */
export const digestOfSpans = (spans: readonly StoredSpan[]): string =>
  sha256(canonicalize([...spans].sort(byStart).map(wireSpan)) as string);

const wireSpan = ({ trace_id: _, user_id: __, ...span }: StoredSpan): TraceSpan => ({
  ...span,
  attributes: span.attributes,
});

/** By time, then by id, each by code unit. */
const byStart = (a: StoredSpan, b: StoredSpan): number =>
  compare(a.started_at, b.started_at) || compare(a.span_id, b.span_id);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
