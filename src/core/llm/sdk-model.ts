import type { FinishReason as SdkFinish, TextStreamPart, ToolSet } from 'ai';
import { defined } from '#core/defined.ts';
import type { OperatorFetch } from '#core/outbound/operator-fetch.ts';
import { broken, type Called, explainFailure, filtered, timedOut } from './failure.ts';
import {
  type Message,
  type Model,
  type ModelAnswer,
  type ModelPart,
  type ModelRequest,
  type ToolCall,
  type ToolShape,
  type Usage,
  wholeAnswer,
} from './model.ts';
import { providerFetch } from './provider-fetch.ts';
import { PROVIDER_DOORS } from './providers.ts';
import { modelId, type ProviderId } from './settings.ts';

/**
 * A model through the AI SDK. The SDK makes one request and parses one response; tools, retries and limits are ours.
 */

interface SdkModelOptions {
  provider: ProviderId;
  name: string;
  key: string | null;
  base_url: string;
  timeout_ms: number;
  retries: number;
  operator: OperatorFetch;
}

export function sdkModel(options: SdkModelOptions): Model {
  const stream = (request: ModelRequest) => streamAnswer(options, request);
  return {
    id: modelId(options.provider, options.name),
    provider: options.provider,
    name: options.name,
    stream,
    generate: (request) => wholeAnswer(stream(request)),
  };
}

async function* streamAnswer(options: SdkModelOptions, request: ModelRequest): AsyncGenerator<ModelPart> {
  const called: Called = { provider: PROVIDER_DOORS[options.provider].title, key: options.key };
  const givenUp = new AbortController();
  const late = setTimeout(() => givenUp.abort(timedOut(called)), options.timeout_ms);
  const signal = AbortSignal.any([request.signal, givenUp.signal]);
  const read: Reading = { text: '', calls: [], end: null };
  try {
    const result = await begin(options, request, called, signal);
    for await (const part of result.stream) {
      const text = take(part, read);
      if (text !== '') yield { type: 'text', text };
    }
    // An abort ends the SDK's stream without an error.
    signal.throwIfAborted();
    const messages = (await result.responseMessages) as Message[];
    yield { type: 'end', answer: answerOf(read, messages, called) };
  } catch (error) {
    throw explainFailure(error, called, signal);
  } finally {
    clearTimeout(late);
    // End the request when the caller stops reading.
    givenUp.abort(new Error('cancelled'));
  }
}

async function begin(options: SdkModelOptions, request: ModelRequest, called: Called, signal: AbortSignal) {
  signal.throwIfAborted();
  const { streamText, jsonSchema } = await loadSdk();
  const { provider, name, key, base_url, retries, operator, timeout_ms } = options;
  const ends_at_ms = Math.min(request.ends_at_ms ?? Number.POSITIVE_INFINITY, performance.now() + timeout_ms);
  const on_start = request.on_start ?? (() => {});
  const fetch = providerFetch(operator, { called, retries, ends_at_ms, on_start });
  const model = await PROVIDER_DOORS[provider].open({ key, base_url, model: name, fetch });
  const toolOf = ({ name, description, input_schema }: ToolShape) =>
    [name, { description, inputSchema: jsonSchema(input_schema) }] as const;
  return streamText({
    model,
    instructions: request.system,
    messages: [...request.messages],
    ...defined({
      tools: request.tools?.length ? (Object.fromEntries(request.tools.map(toolOf)) as ToolSet) : undefined,
    }),
    toolChoice: request.tool_choice ?? 'auto',
    maxOutputTokens: request.max_output_tokens,
    maxRetries: 0,
    abortSignal: signal,
    telemetry: { isEnabled: false },
    // Otherwise the SDK prints the error.
    onError: () => {},
    // Otherwise OpenAI stores the request.
    providerOptions: { openai: { store: false } },
  });
}

/** About 15 MB, not needed before the first request. */
async function loadSdk() {
  // The SDK prints unsupported options to standard error.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  return import('ai');
}

interface Reading {
  text: string;
  calls: ToolCall[];
  end: Extract<TextStreamPart<ToolSet>, { type: 'finish-step' }> | null;
}

/** Records the part and returns its text, or "". */
function take(part: TextStreamPart<ToolSet>, read: Reading): string {
  if (part.type === 'error') throw part.error;
  if (part.type === 'finish-step') read.end = part;
  if (part.type === 'tool-call') read.calls.push({ id: part.toolCallId, name: part.toolName, input: part.input });
  if (part.type !== 'text-delta') return '';
  read.text += part.text;
  return part.text;
}

function answerOf({ text, calls, end }: Reading, messages: Message[], called: Called): ModelAnswer {
  const finish = end?.finishReason;
  // A stream that ends without a finish reason was cut off, however complete it looks.
  const cut = finish === 'interrupted' || (finish === 'other' && end?.rawFinishReason === undefined);
  if (end === null || cut || finish === 'error') throw broken(called, cut ? 'was cut off' : 'ended with an error');
  if (finish === 'content-filter') throw filtered(called);
  const answered = new Set(
    messages.flatMap((message) =>
      message.role === 'tool' ? message.content.map((part) => 'toolCallId' in part && part.toolCallId) : [],
    ),
  );
  return {
    text,
    tool_calls: calls.filter(({ id }) => !answered.has(id)),
    messages,
    usage: usageOf(end.usage),
    finish_reason: finishOf(end.finishReason),
    response_id: end.response.id ?? '',
    response_model: end.response.modelId ?? '',
  };
}

const usageOf = (usage: Extract<TextStreamPart<ToolSet>, { type: 'finish-step' }>['usage']): Usage => ({
  input_tokens: usage.inputTokens ?? null,
  output_tokens: usage.outputTokens ?? null,
  cached_input_tokens: usage.inputTokenDetails.cacheReadTokens ?? null,
  reasoning_tokens: usage.outputTokenDetails.reasoningTokens ?? null,
});

const finishOf = (reason: SdkFinish): ModelAnswer['finish_reason'] =>
  reason === 'error' || reason === 'interrupted' ? 'other' : reason;
