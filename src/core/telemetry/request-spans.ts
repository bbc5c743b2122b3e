import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { readTraceparent, traceparentOf } from './traceparent.ts';

/**
 * Spans of requests and of their database statements and outbound calls. Names and attributes follow OpenTelemetry's
 * conventions for HTTP and databases. They are fixed or come from the protocol: never a requested path, query, header,
 * body or value.
 */
export interface RequestSpans {
  /** Runs `answer` in a span of the request, which ends when the response closes. */
  within(request: IncomingMessage, response: ServerResponse, answer: () => void): void;
  /** Sets the operation id, and its path in the contract if there is one. */
  routed(request: IncomingMessage, operation: string, route?: string): void;
  /** Marks the request as failed with this problem code. */
  failed(request: IncomingMessage, code: string, status: number): void;
  /** Undefined if it is not traced. A request without a socket belongs to the current request. */
  traceIdOf(request: IncomingMessage): string | undefined;
  /** Records a call for the current request, from `began_ms` (`performance.now()`) until now. */
  asked(deed: Deed): void;
}

interface Deed {
  name: string;
  attributes: Attributes;
  began_ms: number;
  /** The kind of failure. */
  error_type?: string | undefined;
}

/** Methods that the conventions list; others are untrusted text. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH']);
/** An account export runs thousands of statements. Further ones are counted, not recorded. */
const MOST_DEEDS = 128;

interface AtWork {
  span: Span;
  context: Context;
  deeds: number;
}

export function requestSpans(tracer: Tracer): RequestSpans {
  const working = new AsyncLocalStorage<AtWork>();
  const spans = new WeakMap<IncomingMessage, Span>();
  return {
    within(request, response, answer) {
      const span = beginSpan(tracer, request);
      if (!span.isRecording()) return answer();
      spans.set(request, span);
      // Work for the request continues from here, not from the caller's span.
      request.headers.traceparent = traceparentOf(span);
      const work = { span, context: trace.setSpan(ROOT_CONTEXT, span), deeds: 0 };
      response.once('close', () => endSpan(work, response));
      working.run(work, answer);
    },
    routed(request, operation, route) {
      const span = spans.get(request);
      if (span?.isRecording() !== true) return;
      span.setAttribute('capstan.operation', operation);
      if (route === undefined) return;
      span.setAttribute('http.route', route);
      span.updateName(`${methodOf(request).name} ${route}`);
    },
    failed(request, code, status) {
      const span = spans.get(request);
      span?.setAttribute('capstan.problem.code', code);
      // A 4xx is not an error of the server.
      if (status >= 500) span?.setAttribute('error.type', code);
    },
    traceIdOf: (request) => (spans.get(request) ?? working.getStore()?.span)?.spanContext().traceId,
    asked({ name, attributes, began_ms, error_type }) {
      const work = working.getStore();
      // Work that a request leaves behind may continue for long after its span was sent.
      if (work === undefined || !work.span.isRecording() || ++work.deeds > MOST_DEEDS) return;
      const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes, startTime: began_ms }, work.context);
      if (error_type !== undefined) {
        span.setAttribute('error.type', error_type);
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    },
  };
}

const methodOf = ({ method = '' }: IncomingMessage): { name: string; attribute: string } =>
  METHODS.has(method) ? { name: method, attribute: method } : { name: 'HTTP', attribute: '_OTHER' };

function beginSpan(tracer: Tracer, request: IncomingMessage): Span {
  const above = readTraceparent(request.headers.traceparent);
  const { name, attribute } = methodOf(request);
  const attributes = { 'http.request.method': attribute, 'network.protocol.version': request.httpVersion };
  const context = above === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, above);
  return tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, context);
}

function endSpan({ span, deeds }: AtWork, response: ServerResponse): void {
  if (response.headersSent) span.setAttribute('http.response.status_code', response.statusCode);
  if (!response.writableFinished) span.setAttribute('capstan.client_gone', true);
  if (deeds > MOST_DEEDS) span.setAttribute('capstan.spans_left_out', deeds - MOST_DEEDS);
  if (response.headersSent && response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
