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

// A span begins at once, so what begins it cannot be waited for.
const require = createRequire(import.meta.url);

/** Where spans begin. Nothing is registered globally: who traces is given this. */
export interface Tracing {
  tracer: Tracer;
  /** Resolves when every span that has ended is saved, or was given up. Waits for no collector. */
  flush(): Promise<void>;
  /** Sends what is left to the collector too, for as long as its time-out allows. */
  close(): Promise<void>;
}

/** The SDK takes 14 MB and most processes trace nothing for a while: it is loaded with the first span. */
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

export interface SpanOptions {
  /** INTERNAL unless given. */
  kind?: SpanKind;
  /**
   * The span of another trace that led to this one. What a caller sends as `traceparent` is always a link: a trace that
   * anybody can name belongs to nobody, so it may not hold what belongs to somebody.
   */
  link?: SpanContext | null;
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

/** The links of a span that another trace led to. */
export const linksTo = (context: SpanContext | null): Link[] => (context === null ? [] : [{ context }]);
