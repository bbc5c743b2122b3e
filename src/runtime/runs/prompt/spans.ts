import { type Attributes, type Span, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { defined } from '#core/defined.ts';
import type { Around } from '#core/llm/converse.ts';
import type { Model, ModelAnswer } from '#core/llm/model.ts';
import { telemetryName } from '#core/llm/providers.ts';
import { Problem } from '#core/problem/problem.ts';
import { ATTR, chat, executeTool } from '#core/traces/conventions.ts';
import { inSpan, type Tracing } from '#core/traces/tracing.ts';
import type { Skill } from '#runtime/skills/skill.ts';
import type { RunOrder } from '../capability.ts';

/** A span for each request to the model and each tool call, below that of the run or the agent's turn. */
export interface ModelSpans extends Around {
  /** The span of the running tool call, otherwise the parent span. */
  current(): Span;
}

interface SpansOrder extends Pick<RunOrder, 'span' | 'record_content'> {
  tracing: Pick<Tracing, 'tracer'>;
}

export function modelSpans(model: Model, skill: Pick<Skill, 'name'> | null, order: SpansOrder): ModelSpans {
  const { tracing, span: run, record_content } = order;
  let current = run;
  return {
    current: () => current,
    request: ({ max_output_tokens }, act) => {
      const asked = {
        [ATTR.operation]: 'chat',
        [ATTR.provider]: telemetryName(model.provider),
        [ATTR.request_model]: model.name,
        [ATTR.request_max_tokens]: max_output_tokens,
      };
      const ask = async (span: Span) => {
        const answer = await failing(span, act);
        span.setAttributes({ ...answerAttributes(answer), ...(record_content ? outputMessages(answer) : {}) });
        return answer;
      };
      return inSpan(tracing.tracer, run, chat(model.name), asked, ask, { kind: SpanKind.CLIENT });
    },
    tool: (call, act) => {
      const about = {
        [ATTR.operation]: 'execute_tool',
        [ATTR.tool_name]: call.name,
        [ATTR.tool_type]: 'function',
        [ATTR.tool_call_id]: call.id,
        ...defined({
          [ATTR.skill_name]: skill === null ? undefined : skill.name,
          [ATTR.tool_arguments]: record_content ? (JSON.stringify(call.input) ?? 'null') : undefined,
        }),
      };
      return inSpan(tracing.tracer, run, executeTool(call.name), about, async (span) => {
        current = span;
        const result = await failing(span, act).finally(() => {
          current = run;
        });
        if (record_content) span.setAttribute(ATTR.tool_result, result.text);
        if (result.failed === true)
          span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute(ATTR.error_type, 'tool_failed');
        return result;
      });
    },
  };
}

async function failing<T>(span: Span, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    span.setAttribute(ATTR.error_type, error instanceof Problem ? error.code : (error as Error).name);
    throw error;
  }
}

function answerAttributes({ usage, finish_reason, response_id, response_model }: ModelAnswer): Attributes {
  const given: Record<string, string | number | null> = {
    [ATTR.response_id]: response_id || null,
    [ATTR.response_model]: response_model || null,
    [ATTR.input_tokens]: usage.input_tokens,
    [ATTR.output_tokens]: usage.output_tokens,
    [ATTR.cached_input_tokens]: usage.cached_input_tokens,
    [ATTR.reasoning_tokens]: usage.reasoning_tokens,
  };
  const known = Object.entries(given).filter((entry): entry is [string, string | number] => entry[1] !== null);
  return { ...Object.fromEntries(known), [ATTR.finish_reasons]: [finish_reason] };
}

/** In the format of the semantic conventions. */
function outputMessages({ text, tool_calls, finish_reason }: ModelAnswer): Attributes {
  const parts = [
    ...(text === '' ? [] : [{ type: 'text', content: text }]),
    ...tool_calls.map(({ id, name, input }) => ({ type: 'tool_call', id, name, arguments: input })),
  ];
  return { [ATTR.output_messages]: JSON.stringify([{ role: 'assistant', parts, finish_reason }]) };
}
