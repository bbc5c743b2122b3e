import { defined } from '#core/defined.ts';
import { overBudget } from './failure.ts';
import {
  type Message,
  type Model,
  type ModelAnswer,
  type ModelRequest,
  type ToolCall,
  type ToolResult,
  type ToolShape,
  toolMessage,
} from './model.ts';
import type { ModelLimits } from './models.ts';

/** Calls a model with tools until it answers with text, limited by steps, tokens and the signal. */

export interface Tool extends ToolShape {
  /**
   * The text goes to the model as data. An exception ends the conversation; errors for the model are returned as
   * `failed`.
   */
  run(input: unknown, signal: AbortSignal): Promise<ToolText>;
}

export interface ToolText {
  text: string;
  failed?: boolean;
}

export interface ConverseOrder
  extends Pick<ModelRequest, 'system' | 'messages' | 'signal' | 'ends_at_ms' | 'on_start'> {
  model: Model;
  tools: readonly Tool[];
  limits: ModelLimits;
  /** Called with each text as it arrives, for every step. */
  on_text?: (text: string, step: number) => void;
  /** Wraps each request and each tool call, for their spans. */
  around?: Around;
}

export interface Around {
  request(request: ModelRequest, act: () => Promise<ModelAnswer>): Promise<ModelAnswer>;
  tool(call: ToolCall, act: () => Promise<ToolText>): Promise<ToolText>;
}

export interface Conversation {
  /** Text of the last answer. */
  text: string;
  messages: Message[];
  steps: number;
  /** Tokens; estimated if the provider does not report them. */
  used: { input_tokens: number; output_tokens: number };
}

const MAX_CALLS_PER_STEP = 32;

/** Throws Problems `llm.*`, and `llm.limit_exceeded` over steps or tokens. An abort throws its reason. */
export async function converse(order: ConverseOrder): Promise<Conversation> {
  const { limits, tools, signal, around = BARE } = order;
  const messages = [...order.messages];
  const used = { input_tokens: 0, output_tokens: 0 };
  for (let step = 1; step <= limits.max_steps; step++) {
    const request = requestOf(order, messages, used, step);
    const answer = await around.request(request, () => read(order, request, step));
    messages.push(...answer.messages);
    used.input_tokens += answer.usage.input_tokens ?? tokensOf(request.messages);
    used.output_tokens += answer.usage.output_tokens ?? tokensOf(answer.messages);
    if (answer.finish_reason === 'length') throw overBudget(TOO_LONG);
    const unread = answer.messages.some((message) => message.role === 'tool');
    if (answer.tool_calls.length === 0 && !unread) return { text: answer.text, messages, steps: step, used };
    const results: ToolResult[] = [];
    for (const call of answer.tool_calls) {
      signal.throwIfAborted();
      const act = () => runTool(tools, call, results.length, signal);
      const { text, failed = false } = await around.tool(call, act);
      results.push({ call, text, failed });
    }
    if (results.length > 0) messages.push(toolMessage(results));
  }
  throw overBudget(`The model did not finish within ${limits.max_steps} steps.`);
}

const TOO_LONG = "The model's response exceeded the output limit and was truncated.";

const BARE: Around = { request: (_request, act) => act(), tool: (_call, act) => act() };

/** Builds the request of the next step. The last step may not call tools, so that there is an answer. */
function requestOf(order: ConverseOrder, messages: Message[], used: Conversation['used'], step: number): ModelRequest {
  const { system, tools, limits, signal, ends_at_ms, on_start } = order;
  const left = limits.max_tokens - used.input_tokens - used.output_tokens - tokensOf(messages);
  if (left <= 0) throw overBudget(`Token limit of the run exceeded (${limits.max_tokens} tokens).`);
  return {
    system,
    messages: [...messages],
    tools,
    signal,
    tool_choice: step === limits.max_steps && step > 1 ? 'none' : 'auto',
    max_output_tokens: Math.min(limits.max_output_tokens, left),
    ...defined({ ends_at_ms, on_start }),
  };
}

async function read({ model, on_text }: ConverseOrder, request: ModelRequest, step: number): Promise<ModelAnswer> {
  for await (const part of model.stream(request)) {
    if (part.type === 'end') return part.answer;
    on_text?.(part.text, step);
  }
  throw new Error('A model stream ended early.');
}

async function runTool(tools: readonly Tool[], call: ToolCall, before: number, signal: AbortSignal): Promise<ToolText> {
  if (before >= MAX_CALLS_PER_STEP)
    return { text: 'Too many tool calls at once; this call was skipped.', failed: true };
  const tool = tools.find(({ name }) => name === call.name);
  if (tool === undefined) return { text: 'Unknown tool.', failed: true };
  const input = call.input ?? {};
  if (typeof input !== 'object' || Array.isArray(input))
    return { text: 'The input must be an object that matches the schema.', failed: true };
  return tool.run(input, signal);
}

/** A rough estimate to stop before a request that cannot fit: four characters are about one token. */
const tokensOf = (messages: readonly Message[]): number => Math.ceil(JSON.stringify(messages).length / 4);
