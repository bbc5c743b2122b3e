import { event, inputText, pieces, type Turn, USAGE } from './turn.ts';

/** The stream of `POST /messages`, event by event. */
export function messageEvents(turn: Turn, model: string, number: number): string[] {
  const { input, output } = turn.usage ?? USAGE;
  const text = turn.text ?? '';
  let index = -1;
  const block = (content_block: object, deltas: object[]): string[] => {
    index += 1;
    return [
      event({ type: 'content_block_start', index, content_block } as never),
      ...deltas.map((delta) => event({ type: 'content_block_delta', index, delta } as never)),
      event({ type: 'content_block_stop', index } as never),
    ];
  };
  const message = {
    id: `msg_${number}`,
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: input, output_tokens: 1 },
  };
  return [
    event({ type: 'message_start', message } as never),
    event({ type: 'ping' }),
    ...(text === ''
      ? []
      : block(
          { type: 'text', text: '' },
          pieces(text).map((piece) => ({ type: 'text_delta', text: piece })),
        )),
    ...(turn.tool_calls ?? []).flatMap((call, at) =>
      block(
        { type: 'tool_use', id: `toolu_${number}_${at}`, name: call.name, input: {} },
        pieces(inputText(call)).map((partial_json) => ({ type: 'input_json_delta', partial_json })),
      ),
    ),
    event({
      type: 'message_delta',
      delta: { stop_reason: stopReason(turn), stop_sequence: null },
      usage: { output_tokens: output },
    } as never),
    event({ type: 'message_stop' }),
  ];
}

function stopReason({ finish, tool_calls }: Turn): string {
  if (finish === 'length') return 'max_tokens';
  if (finish === 'filter') return 'refusal';
  return tool_calls?.length ? 'tool_use' : 'end_turn';
}

export const anthropicError = (status: number, message: string): string =>
  JSON.stringify({ type: 'error', error: { type: status === 429 ? 'rate_limit_error' : 'api_error', message } });
