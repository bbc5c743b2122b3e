import type { ModelMessage } from 'ai';

/** The seam to language models: what is asked, and what comes back, whatever the provider. */

export interface Model {
  /** `provider/name`. */
  id: string;
  provider: string;
  name: string;
  /** Results of tools as JSON in place of their text: for what is no language model. */
  reads?: 'json';
  /** One answer, part by part; the last part is `end`. Failures are Problems `llm.*`; an abort throws its reason. */
  stream(request: ModelRequest): AsyncIterable<ModelPart>;
  /** The same, whole. */
  generate(request: ModelRequest): Promise<ModelAnswer>;
}

export interface ModelRequest {
  system: string;
  /** What was said so far; an answer's `messages` are added to them as they are. */
  messages: readonly Message[];
  tools?: readonly ToolShape[];
  /** `none`: answer in words, though there are tools. */
  tool_choice?: 'auto' | 'none';
  max_output_tokens: number;
  signal: AbortSignal;
  /** When the caller's time is up, by `performance.now()`: a wait for a retry does not go beyond it. */
  ends_at_ms?: number;
  /** Called once, when the provider begins to answer. */
  on_start?: () => void;
}

/** The SDK's own form, so that what a provider wants back unchanged (such as reasoning) stays with it. */
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
  /** Not checked against the schema. */
  input: unknown;
}

/** Tokens; null where the provider does not tell. */
export interface Usage {
  input_tokens: number | null;
  output_tokens: number | null;
  cached_input_tokens: number | null;
  reasoning_tokens: number | null;
}

export type FinishReason = 'stop' | 'tool-calls' | 'length' | 'content-filter' | 'other';

export interface ModelAnswer {
  text: string;
  /** Those that the caller has to carry out. A call that could not be read is answered already. */
  tool_calls: ToolCall[];
  messages: Message[];
  usage: Usage;
  finish_reason: FinishReason;
  /** The provider's own names of the answer and of the model that gave it; "" where it gives none. */
  response_id: string;
  response_model: string;
}

export type ModelPart = { type: 'text'; text: string } | { type: 'end'; answer: ModelAnswer };

/** The last part of a stream. */
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
