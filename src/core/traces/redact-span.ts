import type { Attributes } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { defined } from '#core/defined.ts';
import { CONTENT } from './conventions.ts';
import { redactAttributes, redactText } from './redact.ts';

/** Returns a span as it may leave the process, for our table or a collector. Pure. */
export function redactSpan(span: ReadableSpan): ReadableSpan {
  const { message, ...status } = span.status;
  return {
    name: nameOf(span.name),
    kind: span.kind,
    spanContext: () => span.spanContext(),
    ...defined({ parentSpanContext: span.parentSpanContext }),
    startTime: span.startTime,
    endTime: span.endTime,
    duration: span.duration,
    ended: span.ended,
    status: message === undefined ? status : { ...status, message: redactText(message) },
    attributes: clean(span.attributes),
    links: span.links.map((link) => ({ ...link, attributes: clean(link.attributes) })),
    events: span.events.map((event) => ({
      ...event,
      name: nameOf(event.name),
      attributes: clean(event.attributes),
    })),
    resource: span.resource,
    instrumentationScope: span.instrumentationScope,
    droppedAttributesCount: span.droppedAttributesCount,
    droppedEventsCount: span.droppedEventsCount,
    droppedLinksCount: span.droppedLinksCount,
  };
}

const clean = (attributes: Attributes | undefined): Attributes => redactAttributes(attributes ?? {}) as Attributes;

/** Untrusted tools name spans, and PostgreSQL cannot store NUL. */
const nameOf = (name: string): string => redactText(name).replaceAll('\0', '\u{fffd}');

/** The span without inputs and outputs, which are recorded for the run's owner, not for readers of a collector. */
export const withoutContent = (span: ReadableSpan): ReadableSpan => ({
  ...span,
  attributes: Object.fromEntries(Object.entries(span.attributes).filter(([name]) => !CONTENT.includes(name))),
});
