import { createRequire } from 'node:module';
import {
  type Attributes,
  type Link,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { SpanProvider, TracingOptions } from './provider.ts';

// A span begins synchronously, so a dynamic import is not possible.
const require = createRequire(import.meta.url);

/** Creates spans. There is no global tracer; code that traces receives this. */
export interface Tracing {
  tracer: Tracer;
  /** Resolves when every ended span is saved or was given up. Does not wait for a collector. */
  flush(): Promise<void>;
  /** Also sends the rest to the collector, within its timeout. */
  close(): Promise<void>;
}

/** The SDK takes 14 MB, and most processes trace nothing at first, so it is loaded with the first span. */
export function startTracing(options: TracingOptions): Tracing {
  let provider: SpanProvider | undefined;
  const opened = (): SpanProvider => {
    provider ??= (require('./provider.ts') as typeof import('./provider.ts')).startProvider(options);
    return provider;
  };
  const tracer = {
    startSpan: (...span: Parameters<Tracer['startSpan']>) => opened().tracer.startSpan(...span),
    startActiveSpan: (...span: [string, never]) => opened().tracer.startActiveSpan(...span),
  } as Tracer;
  return {
    tracer,
    flush: async () => provider?.flush(),
    close: async () => provider?.close(),
  };
}

interface SpanOptions {
  /** Default: INTERNAL. */
  kind?: SpanKind;
  /**
   * The span of another trace that led to this one. A caller's `traceparent` is always a link: anyone can name a trace
   * id, so such a trace must not contain private data.
   */
  link?: SpanContext | null;
}

/**
 * Runs `act` in a span below `parent`, or at the root of a new trace, and ends the span. An exception marks it as an
 * error and propagates; `act` itself marks a failure that it returns.
 */
export async function inSpan<T>(
  tracer: Tracer,
  parent: Span | null,
  name: string,
  attributes: Attributes,
  act: (span: Span) => Promise<T>,
  { kind = SpanKind.INTERNAL, link = null }: SpanOptions = {},
): Promise<T> {
  const context = parent === null ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, parent);
  const span = tracer.startSpan(name, { attributes, kind, links: linksTo(link) }, context);
  try {
    return await act(span);
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR, message: (error as Error).message });
    throw error;
  } finally {
    span.end();
  }
}

/** The link of a span to the trace that led to it. */
export const linksTo = (context: SpanContext | null): Link[] => (context === null ? [] : [{ context }]);
