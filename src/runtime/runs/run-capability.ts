import { type Span, type SpanContext, SpanStatusCode } from '@opentelemetry/api';
import { keepable } from '#core/text/keepable.ts';
import { ATTR } from '#core/traces/conventions.ts';
import { inSpan } from '#core/traces/tracing.ts';
import { DEFAULT_LIMITS, type SandboxLimits } from '#runtime/sandbox/sandbox.ts';
import { type Capability, nothing, type Outcome, type RunOrder } from './capability.ts';
import { type RunResult, rejected } from './run.ts';

/** The door: every run of every class goes through here, gets its trace, and says what held it. */

export interface RunRequest extends Omit<RunOrder, 'span' | 'limits'> {
  limits?: Partial<SandboxLimits> | undefined;
  /** What led to this run, by W3C trace context: the run is a trace of its own with a link to it. */
  link?: SpanContext | null | undefined;
}

/** Runs once. A run that fails, or cannot be begun, is an answer; a throw is a bug of ours. */
export async function runCapability(capability: Capability, request: RunRequest): Promise<RunResult> {
  const { tracing, link = null, limits, ...order } = request;
  const { name, attributes } = capability.span;
  const { user_id } = request.caller;
  const owner = user_id === null ? {} : { [ATTR.owner]: user_id };
  const content = request.record_content ? { [ATTR.tool_arguments]: JSON.stringify(request.input) ?? 'null' } : {};
  const started = performance.now();
  const begin = async (span: Span): Promise<RunResult> => {
    const obstacle = await capability.obstacle();
    const ended =
      obstacle === null
        ? await capability.run({ ...order, tracing, limits: { ...DEFAULT_LIMITS, ...limits }, span })
        : nothing(rejected(obstacle.reason, obstacle.detail));
    const outcome = { ...ended, output: keepable(ended.output, ended.stdout) };
    mark(span, outcome, request.record_content);
    const { traceId: trace_id, spanId: span_id } = span.spanContext();
    return { ...outcome, trace_id, span_id, duration_ms: performance.now() - started };
  };
  return inSpan(tracing.tracer, null, name, { ...attributes, ...owner, ...content }, begin, { link });
}

function mark(span: Span, outcome: Outcome, content: boolean): void {
  const { status, reason, error, exit_code, isolation, engine, stdout, output } = outcome;
  const result = stdout !== '' ? stdout : output === null ? '' : JSON.stringify(output);
  span.setAttributes({
    [ATTR.run_status]: status,
    ...(reason === null ? {} : { [ATTR.error_type]: reason }),
    ...(exit_code === null ? {} : { [ATTR.exit_code]: exit_code }),
    ...(isolation === null ? {} : { [ATTR.isolation]: isolation }),
    ...(engine === null ? {} : { [ATTR.engine]: engine }),
    ...(content && result !== '' ? { [ATTR.tool_result]: result } : {}),
  });
  if (error !== null) span.setStatus({ code: SpanStatusCode.ERROR, message: error });
}
