import { data, inputText, pieces, type Turn, USAGE } from './turn.ts';

/** The stream of `POST /chat/completions`, event by event. */
export function chatEvents(turn: Turn, model: string, number: number): string[] {
  const base = { id: `chatcmpl-${number}`, object: 'chat.completion.chunk', created: 1_767_225_600, model };
  const chunk = (delta: unknown, finish_reason: string | null = null) =>
    data({ ...base, choices: [{ index: 0, delta, finish_reason, logprobs: null }] });
  const usage = turn.usage === undefined ? USAGE : turn.usage;
  return [
    chunk({ role: 'assistant', content: '' }),
    ...pieces(turn.text ?? '').map((content) => chunk({ content })),
    ...(turn.tool_calls ?? []).flatMap((call, index) => [
      chunk({
        tool_calls: [
          { index, id: `call_${number}_${index}`, type: 'function', function: { name: call.name, arguments: '' } },
        ],
      }),
      ...pieces(inputText(call)).map((text) => chunk({ tool_calls: [{ index, function: { arguments: text } }] })),
    ]),
    chunk({}, finishOf(turn)),
    ...(usage === null
      ? []
      : [
          data({
            ...base,
            choices: [],
            usage: {
              prompt_tokens: usage.input,
              completion_tokens: usage.output,
              total_tokens: usage.input + usage.output,
            },
          }),
        ]),
    'data: [DONE]\n\n',
  ];
}

function finishOf({ finish, tool_calls }: Turn): string {
  if (finish === 'length') return 'length';
  if (finish === 'filter') return 'content_filter';
  return tool_calls?.length ? 'tool_calls' : 'stop';
}

export const openaiError = (status: number, message: string): string =>
  JSON.stringify({
    error: { message, type: status === 429 ? 'rate_limit_error' : 'api_error', param: null, code: null },
  });
