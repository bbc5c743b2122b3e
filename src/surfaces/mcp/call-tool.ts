import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { defined } from '#core/defined.ts';
import { coreProblem } from '#core/errors.ts';
import { asProblem } from '#core/http/problem-reply.ts';
import { compileSchema } from '#core/http/validate.ts';
import type { Log } from '#core/log.ts';
import { boundErrors, describeErrors, shorten } from '#core/problem/field-errors.ts';
import type { Problem } from '#core/problem/problem.ts';
import { briefOf } from '#core/problem/problem.ts';
import { readTraceparent, traceparentOf } from '#core/telemetry/traceparent.ts';
import type { Offer } from '#core/tools/offer.ts';
import type { Tool, ToolAnswer, ToolCall } from '#core/tools/tool.ts';
import { ATTR, toolsCall } from '#core/traces/conventions.ts';
import { inSpan, type Tracing } from '#core/traces/tracing.ts';
import { surfacesProblem } from '#surfaces/errors.ts';
import { InputNeeded } from './asking.ts';
import { mayCall } from './gate.ts';
import { linkOf } from './link.ts';
import type { Method, Turn } from './methods/method.ts';
import { messageFor } from './next-tool.ts';
import { RPC, RpcError } from './rpc.ts';
import { toolCall, traceparentIn } from './tool-call.ts';

/**
 * `tools/call`. A failure of a tool is a result that the model can read and correct; only an unknown name is an error.
 */

interface CallToolDeps {
  offer: Pick<Offer, 'tools'>;
  tracing: Pick<Tracing, 'tracer'>;
  log: Log;
  /** Converts errors that an operator can fix to Problems. */
  explain(error: unknown): unknown;
}

const MAX_CHARS = 1_048_576;

export function toolCaller({ offer, tracing, log, explain }: CallToolDeps): Method['answer'] {
  const tools = new Map(offer.tools.map((tool) => [tool.name, { tool, check: compileSchema(tool.input) }]));
  const run = async (tool: Tool, input: Record<string, unknown>, turn: Turn, traceparent: string | null) => {
    const call = toolCall(turn, traceparent);
    try {
      return resultOf(await tool.run(input, call));
    } catch (error) {
      if (error instanceof InputNeeded) throw error;
      return failedResult(problemOf(error, tool, call), call);
    }
  };
  const problemOf = (thrown: unknown, { name }: Tool, { request_id, signal }: ToolCall): Problem => {
    const problem = asProblem(explain(thrown));
    if (problem.kind === 'internal' && !signal.aborted)
      log.error({ err: thrown, request_id, tool: name }, 'tool call failed');
    return problem;
  };
  return async ({ name, arguments: input = {} }, turn) => {
    const found = tools.get(name as string);
    if (found === undefined)
      throw new RpcError(
        RPC.invalid_params,
        `Unknown tool: ${shorten(`${name}`, 100)}. tools/list names the available tools.`,
      );
    const { tool, check } = found;
    const { caller } = turn.exchange;
    if (!mayCall(tool.scope, caller)) throw new Error(`${tool.name} was called without authorization`);
    const errors = check(input);
    if (errors.length > 0) return failedResult(misfit(errors), { request_id: turn.exchange.request_id });
    // Anonymous calls store nothing in the database.
    if (caller === null) return run(tool, input as Record<string, unknown>, turn, null);
    const link = readTraceparent(traceparentIn(turn));
    const attributes = { [ATTR.mcp_method]: 'tools/call', [ATTR.tool_name]: tool.name, [ATTR.owner]: caller.user_id };
    return inSpan(
      tracing.tracer,
      null,
      toolsCall(tool.name),
      attributes,
      async (span) => {
        const result = await run(tool, input as Record<string, unknown>, turn, traceparentOf(span));
        if (result.isError === true) span.setStatus({ code: SpanStatusCode.ERROR });
        return result;
      },
      { kind: SpanKind.SERVER, link },
    );
  };
}

function resultOf({ structured, text, links = [], blocks = [] }: ToolAnswer<unknown>): Record<string, unknown> {
  if (JSON.stringify(structured).length + text.length > MAX_CHARS)
    throw surfacesProblem('mcp.result_too_large', 'The result exceeds 1 MiB. Request less.');
  return {
    content: [{ type: 'text', text }, ...blocks, ...links.map((link) => ({ type: 'resource_link', ...linkOf(link) }))],
    structuredContent: structured,
  };
}

type Misfits = ReturnType<ReturnType<typeof compileSchema>>;

function misfit(found: Misfits): Problem {
  const bound = boundErrors(found);
  const detail = `Invalid input: ${describeErrors(bound, 'the input')}.`;
  return coreProblem('http.invalid', detail, { reason: 'input', errors: bound.errors });
}

/** As text for the model, and as a code for programs. */
export function failedResult(problem: Problem, { request_id }: Pick<ToolCall, 'request_id'>): Record<string, unknown> {
  const { code, reason, message, errors, status, extensions } = problem;
  const receipt_id = typeof extensions.receipt_id === 'string' ? extensions.receipt_id : undefined;
  // A model sees the text alone: it has to name the fields, too.
  const unnamed = boundErrors((errors ?? []).filter(({ detail }) => !message.includes(detail)));
  const fields = unnamed.errors.length === 0 ? '' : ` Fields: ${describeErrors(unnamed, 'the input')}.`;
  return {
    content: [
      { type: 'text', text: `${messageFor(problem)}${fields} (${reason === undefined ? code : `${code}, ${reason}`})` },
    ],
    isError: true,
    _meta: {
      'capstan/problem': { ...briefOf(problem), status, request_id, ...defined({ errors, receipt_id }) },
    },
  };
}
