import type { Message, Model, ModelAnswer, ModelPart, ModelRequest } from '../model.ts';
import { PLANNER_ID, splitModelId } from '../settings.ts';
import type { Call } from './next.ts';
import { plan } from './plan.ts';

/** The planner behind the model interface, so that the same loop runs it. */

const [provider, name] = splitModelId(PLANNER_ID);

/** Characters per part of a stream. */
const PART = 120;

export const plannerModel = (): Model => ({
  id: PLANNER_ID,
  provider,
  name,
  reads: 'json' as const,
  stream,
  generate: async (request) => answerTo(request),
});

async function* stream(request: ModelRequest): AsyncGenerator<ModelPart> {
  const answer = answerTo(request);
  for (let at = 0; at < answer.text.length; ) {
    // Does not split surrogate pairs.
    const end = at + PART + (/[\uD800-\uDBFF]/.test(answer.text[at + PART - 1] ?? '') ? 1 : 0);
    yield { type: 'text', text: answer.text.slice(at, end) };
    at = end;
  }
  yield { type: 'end', answer };
}

function answerTo({ messages, tools = [], tool_choice, signal, on_start }: ModelRequest): ModelAnswer {
  signal.throwIfAborted();
  on_start?.();
  const next = plan({ messages, tools, may_call: tool_choice !== 'none' });
  const rest = {
    usage: { input_tokens: 0, output_tokens: 0, cached_input_tokens: null, reasoning_tokens: null },
    response_id: '',
    response_model: name,
  };
  if ('say' in next) {
    const said: Message[] = [{ role: 'assistant', content: next.say }];
    return { ...rest, text: next.say, tool_calls: [], messages: said, finish_reason: 'stop' };
  }
  const calls = withIds(next.call, messages);
  const content = calls.map((call) => ({
    type: 'tool-call' as const,
    toolCallId: call.id,
    toolName: call.name,
    input: call.input,
  }));
  return {
    ...rest,
    text: '',
    tool_calls: calls,
    messages: [{ role: 'assistant', content }],
    finish_reason: 'tool-calls',
  };
}

/** Deterministic ids, unique within a conversation. */
function withIds(calls: readonly Call[], messages: readonly Message[]) {
  const parts = messages.flatMap(({ content }) => (Array.isArray(content) ? (content as { type?: unknown }[]) : []));
  const before = parts.filter((part) => part?.type === 'tool-call').length;
  return calls.map((call, at) => ({ ...call, id: `plan_${before + at}` }));
}
