import type { ModelMessage } from 'ai';

/** The interface to language models: requests and responses, whatever the provider. */

export interface Model {
  /** `provider/name`. */
  id: string;
  provider: string;
  name: string;
  /** Receives tool results as JSON instead of text, because it is not a language model. */
  reads?: 'json';
  /** Streams one answer; the last part is `end`. Throws Problems `llm.*`; an abort throws its reason. */
  stream(request: ModelRequest): AsyncIterable<ModelPart>;
  /** Like `stream`, as a whole. */
  generate(request: ModelRequest): Promise<ModelAnswer>;
}

export interface ModelRequest {
  system: string;
  /** The conversation so far. The `messages` of an answer are appended unchanged. */
  messages: readonly Message[];
  tools?: readonly ToolShape[];
  /** `none` forces a text answer even if there are tools. */
  tool_choice?: 'auto' | 'none';
  max_output_tokens: number;
  signal: AbortSignal;
  /** The caller's deadline as `performance.now()`: retries do not wait beyond it. */
  ends_at_ms?: number;
  /** Called once, when the provider starts to respond. */
  on_start?: () => void;
}

/** The SDK's own type, so that data which a provider expects back unchanged, such as reasoning, is kept. */
export type Message = ModelMessage;

export interface ToolShape {
  name: string;
  description: string;
  /** JSON Schema of an object. */
  input_schema: Record<string, unknown>;
}

export interface ToolCall {
  id: string;
  name: string;
  /** Not validated against the schema. */
  input: unknown;
}

/** Tokens; null if the provider does not report them. */
export interface Usage {
  input_tokens: number | null;
  output_tokens: number | null;
  cached_input_tokens: number | null;
  reasoning_tokens: number | null;
}

type FinishReason = 'stop' | 'tool-calls' | 'length' | 'content-filter' | 'other';

export interface ModelAnswer {
  text: string;
  /** Calls that the caller must run. A call that could not be parsed is already answered. */
  tool_calls: ToolCall[];
  messages: Message[];
  usage: Usage;
  finish_reason: FinishReason;
  /** The provider's ids of the response and of its model; "" if missing. */
  response_id: string;
  response_model: string;
}

export type ModelPart = { type: 'text'; text: string } | { type: 'end'; answer: ModelAnswer };

/** Returns the answer in the last part of a stream. */
export async function wholeAnswer(parts: AsyncIterable<ModelPart>): Promise<ModelAnswer> {
  for await (const part of parts) if (part.type === 'end') return part.answer;
  throw new Error('A model stream ended early.');
}

export const userMessage = (text: string): Message => ({ role: 'user', content: text });

export interface ToolResult {
  call: ToolCall;
  text: string;
  failed: boolean;
}

export const toolMessage = (results: readonly ToolResult[]): Message => ({
  role: 'tool',
  content: results.map(({ call, text, failed }) => ({
    type: 'tool-result',
    toolCallId: call.id,
    toolName: call.name,
    output: { type: failed ? 'error-text' : 'text', value: text },
  })),
});
