import { type Span, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { Around } from '../../platform/llm/converse.ts';
import type { Model } from '../../platform/llm/model.ts';
import { telemetryName } from '../../platform/llm/providers.ts';
import { Problem } from '../../platform/problem.ts';
import { ATTR, chat, executeTool } from '../traces/conventions.ts';
import { inSpan, type Tracing } from '../traces/tracing.ts';

/** A span for each request to the model and each tool call, below the turn's own. What was said is in the conversation. */
export interface TurnSpans extends Around {
  /** That of the tool call which is being carried out, else the turn's. */
  current(): Span;
}

export function turnSpans({ tracer }: Pick<Tracing, 'tracer'>, turn: Span, model: Model): TurnSpans {
  let current = turn;
  return {
    current: () => current,
    request: ({ max_output_tokens }, act) => {
      const asked = {
        ...{
          [ATTR.operation]: 'chat',
          [ATTR.provider]: telemetryName(model.provider),
          [ATTR.request_model]: model.name,
        },
        [ATTR.request_max_tokens]: max_output_tokens,
      };
      const ask = async (span: Span) => {
        const answer = await failing(span, act);
        const { input_tokens, output_tokens } = answer.usage;
        if (input_tokens !== null) span.setAttribute(ATTR.input_tokens, input_tokens);
        if (output_tokens !== null) span.setAttribute(ATTR.output_tokens, output_tokens);
        return answer;
      };
      return inSpan(tracer, turn, chat(model.name), asked, ask, SpanKind.CLIENT);
    },
    tool: ({ id, name }, act) => {
      const about = {
        ...{ [ATTR.operation]: 'execute_tool', [ATTR.tool_name]: name },
        ...{ [ATTR.tool_type]: 'function', [ATTR.tool_call_id]: id },
      };
      return inSpan(tracer, turn, executeTool(name), about, async (span) => {
        current = span;
        const result = await failing(span, act).finally(() => {
          current = turn;
        });
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
