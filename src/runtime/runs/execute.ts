import { type Span, type SpanContext, SpanStatusCode } from '@opentelemetry/api';
import { defined } from '#core/defined.ts';
import { keepable } from '#core/text/keepable.ts';
import { ATTR } from '#core/traces/conventions.ts';
import { inSpan } from '#core/traces/tracing.ts';
import { DEFAULT_LIMITS, type SandboxLimits } from '#runtime/sandbox/sandbox.ts';
import type { Capability, RunOrder } from './capability.ts';
import { emptyOutcome, type Outcome, type RunResult, rejected } from './result.ts';

export interface ExecuteOrder extends Omit<RunOrder, 'span' | 'limits'> {
  limits?: Partial<SandboxLimits> | undefined;
  /** The W3C trace context of the caller: the run has a separate trace with a link to it. */
  link?: SpanContext | null | undefined;
}

/** Executes once, in a separate trace. A run that fails or cannot start is a result; a throw is a bug. */
export async function execute(capability: Capability, order: ExecuteOrder): Promise<RunResult> {
  const { tracing, link = null, limits, ...rest } = order;
  const { name, attributes } = capability.span;
  const { user_id } = order.caller;
  const owner = user_id === null ? {} : { [ATTR.owner]: user_id };
  const content = order.record_content ? { [ATTR.tool_arguments]: JSON.stringify(order.input) ?? 'null' } : {};
  const started = performance.now();
  const begin = async (span: Span): Promise<RunResult> => {
    const unavailable = await capability.whyUnavailable();
    const ended =
      unavailable === null
        ? await capability.run({ ...rest, tracing, limits: { ...DEFAULT_LIMITS, ...limits }, span })
        : emptyOutcome(rejected(unavailable.reason, unavailable.detail));
    const outcome: Outcome = {
      ...ended,
      output: keepable(ended.output, ended.stdout),
      environment: { ...ended.environment, server: ended.environment.server ?? capability.server ?? null },
    };
    mark(span, outcome, order.record_content);
    const { traceId: trace_id, spanId: span_id } = span.spanContext();
    return { ...outcome, trace_id, span_id, duration_ms: performance.now() - started };
  };
  return inSpan(tracing.tracer, null, name, { ...attributes, ...owner, ...content }, begin, { link });
}

function mark(span: Span, outcome: Outcome, content: boolean): void {
  const { status, reason, error, exit_code, stdout, output } = outcome;
  const { isolation, engine } = outcome.environment;
  const result = stdout !== '' ? stdout : output === null ? '' : JSON.stringify(output);
  span.setAttributes({
    [ATTR.run_status]: status,
    ...defined({
      [ATTR.error_type]: reason ?? undefined,
      [ATTR.exit_code]: exit_code ?? undefined,
      [ATTR.isolation]: isolation ?? undefined,
      [ATTR.engine]: engine ?? undefined,
      [ATTR.tool_result]: content && result !== '' ? result : undefined,
    }),
  });
  if (error !== null) span.setStatus({ code: SpanStatusCode.ERROR, message: error });
}
