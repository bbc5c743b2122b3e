import { type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { ConnectionsDeps } from '#connections/connections/deps.ts';
import { problemOf } from '#connections/connections/failures.ts';
import { withSignInLink } from '#connections/connections/sign-in-link.ts';
import { type NotAsked, notedQuestions } from '#connections/questions/noted-questions.ts';
import type { PackagedFacts, PackageStep } from '#core/mcp/packaged-servers.ts';
import type { AskPerson } from '#core/mcp/questions.ts';
import type { McpProgress } from '#core/mcp/session.ts';
import { plainName } from '#core/mcp/tool.ts';
import { readTraceparent, traceparentOf } from '#core/telemetry/traceparent.ts';
import { ATTR, toolsCall } from '#core/traces/conventions.ts';
import { attributesOfLeftOut } from '#core/traces/left-out-attributes.ts';
import { attributesOfPackage } from '#core/traces/package-attributes.ts';
import { forSpan } from '#core/traces/redact.ts';
import { inSpan } from '#core/traces/tracing.ts';
import { begunCall, endOfError, endOfResult, receiptPath, withMembers } from './call-ends.ts';
import type { Called, ReadyTool } from './tool-calls.ts';

/** One tool call and its response. */

export const TIMEOUT_MS = 60_000;
/** Of a tool result as JSON. */
const RESULT_BYTES = 4 * 1024 * 1024;

interface Order {
  args: Record<string, unknown>;
  timeout_ms: number;
  /** The `traceparent` of our own span that the call belongs to. */
  within?: string | null;
  /** The client's `traceparent` header: the call is linked to it but not part of its trace. */
  traceparent?: string | string[] | undefined;
  signal: AbortSignal;
  on_progress?: (progress: McpProgress) => void;
  on_step?: (step: PackageStep) => void;
  /** Asks the person behind the call, or why nobody can be asked. */
  ask: AskPerson | NotAsked;
}

/**
 * Calls the tool once, in a span whose id the server receives, and records it for its receipt. Throws failures of the server
 * as Problems.
 */
export async function tracedCall(
  {
    calls,
    tracing,
    clock,
    call_records,
    base_url,
  }: Pick<ConnectionsDeps, 'calls' | 'tracing' | 'clock' | 'call_records' | 'base_url'>,
  tool: ReadyTool,
  order: Order,
) {
  const { args, timeout_ms, signal, on_progress, on_step } = order;
  const { questions, ask: on_question } = notedQuestions(order.ask);
  const { within = null, traceparent: outside } = order;
  const own = within === null ? null : readTraceparent(within);
  const parent = own === null ? null : trace.wrapSpanContext(own);
  const name = toolsCall(plainName(tool.definition.name));
  const started = clock.now();
  return inSpan(
    tracing.tracer,
    parent,
    name,
    attributesOf(tool, args),
    async (span) => {
      const traceparent = traceparentOf(span);
      const trace_id = span.spanContext().traceId;
      const record = call_records.begin(begunCall(tool.connection, { known: tool, args, trace_id }));
      const { receipt_id, receipt_key } = record;
      const budget = { timeout_ms, max_bytes: RESULT_BYTES };
      let facts: PackagedFacts | null = null;
      let isCalled = false;
      const watch = {
        on_progress,
        on_question,
        on_step,
        on_facts: (ran: PackagedFacts) => {
          facts = ran;
          span.setAttributes(attributesOfPackage(ran));
        },
        before: record.stored,
        on_call: () => {
          isCalled = true;
        },
      };
      try {
        const answer = await calls.call(tool, { arguments: args, ...budget, traceparent, signal, ...watch });
        if (!answer.ok) {
          isCalled = true;
          span.setAttribute(ATTR.error_type, answer.failure.reason);
          throw problemOf(answer.failure);
        }
        noteResult(span, answer.value);
        const { protocol_version, ...result } = shownResult(answer.value);
        record.end({ ...endOfResult(result), facts });
        await record.proven;
        const links = { trace: `/api/traces/${trace_id}`, receipt: receiptPath(receipt_id) };
        const duration_ms = clock.now() - started;
        return { ...result, questions, protocol_version, trace_id, receipt_id, receipt_key, duration_ms, links };
      } catch (error) {
        record.end({ ...endOfError(error, signal, isCalled), facts });
        // What stops it is not why the call failed.
        await record.proven.catch(() => {});
        const explained = withSignInLink(error, base_url, tool.connection.id);
        const asked = questions.length === 0 ? {} : { questions };
        throw withMembers(explained, { trace_id, receipt_id, receipt_key, ...asked });
      } finally {
        if (questions.length > 0) span.setAttribute(ATTR.mcp_questions, JSON.stringify(questions).slice(0, 4_000));
      }
    },
    { kind: SpanKind.CLIENT, link: parent === null ? readTraceparent(outside) : null },
  );
}

const attributesOf = ({ connection, definition }: ReadyTool, args: Record<string, unknown>) => ({
  [ATTR.owner]: connection.user_id,
  [ATTR.tool_arguments]: forSpan(JSON.stringify(args)),
  [ATTR.operation]: 'execute_tool',
  [ATTR.tool_name]: plainName(definition.name),
  [ATTR.tool_type]: 'extension',
  [ATTR.mcp_method]: 'tools/call',
  [ATTR.mcp_transport]: connection.transport,
  // The address as given: the values of its variables may be secret.
  [ATTR.server_address]: connection.package === null ? new URL(connection.url).host : connection.url,
});

function noteResult(span: Span, { result, protocol_version, left_out }: Called): void {
  span.setAttributes(attributesOfLeftOut(left_out));
  span.setAttribute(ATTR.mcp_protocol, protocol_version);
  const said = resultText(result);
  if (said !== '') span.setAttribute(ATTR.tool_result, forSpan(said));
  if (result.isError !== true) return;
  span.setAttribute(ATTR.error_type, 'tool_error');
  span.setStatus({ code: SpanStatusCode.ERROR, message: 'The tool returned an error.' });
}

/** The text, otherwise the JSON; images and audio are not part of a trace. */
const resultText = ({ content, structuredContent }: Called['result']): string =>
  content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n') ||
  (structuredContent === undefined ? '' : JSON.stringify(structuredContent));

const shownResult = ({ result, protocol_version }: Called) => ({
  content: result.content,
  structured_content: result.structuredContent ?? null,
  is_error: result.isError === true,
  protocol_version,
});
