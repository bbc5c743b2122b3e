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
 * Spans of requests, and of what is asked of others for them. Names and attributes follow OpenTelemetry's conventions for
 * HTTP and databases; all are ours or of the protocol: no path as it was sent, no query, no header, no body, no value.
 */
export interface RequestSpans {
  /** Answers in a span of the request's own, which ends when the response closes. */
  within(request: IncomingMessage, response: ServerResponse, answer: () => void): void;
  /** What was asked for: the operation's id, and the path as the contract has it where there is one. */
  routed(request: IncomingMessage, operation: string, route?: string): void;
  /** It failed with the problem of this code. */
  failed(request: IncomingMessage, code: string, status: number): void;
  /** Undefined where it is not traced. What came without a socket is part of the request that is at work here. */
  traceIdOf(request: IncomingMessage): string | undefined;
  /** Something was asked of another for the request that is at work here, from `began_ms` of `performance.now()` until now. */
  asked(deed: Deed): void;
}

export interface Deed {
  name: string;
  attributes: Attributes;
  began_ms: number;
  /** What kind of failure it ended with. */
  error_type?: string | undefined;
}

/** Methods that the conventions name; others are a stranger's words. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH']);
/** An export of an account asks the database thousands of times. What is over is counted, not told. */
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
      // What runs for the request continues from here, not from the span of the caller.
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
      // A refusal is no failure of the one who refuses.
      if (status >= 500) span?.setAttribute('error.type', code);
    },
    traceIdOf: (request) => (spans.get(request) ?? working.getStore()?.span)?.spanContext().traceId,
    asked({ name, attributes, began_ms, error_type }) {
      const work = working.getStore();
      // What a request has left behind may go on for long; its span is sent already.
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
