import { event, inputText, pieces, type Turn, USAGE } from './turn.ts';

/** The stream of `POST /responses`, event by event. */
export function responseEvents(turn: Turn, model: string, number: number): string[] {
  const { input, output } = turn.usage ?? USAGE;
  const response = { id: `resp_${number}`, object: 'response', created_at: 1_767_225_600, model, output: [] };
  const text = turn.text ?? '';
  let output_index = -1;
  let sequenceNumber = 0;
  const say = (type: string, more: object) => event({ type, sequence_number: sequenceNumber++, ...more } as never);
  const message = () => {
    output_index += 1;
    const id = `msg_${number}`;
    const item = { id, type: 'message', role: 'assistant', status: 'in_progress', content: [] };
    const at = { item_id: id, output_index, content_index: 0 };
    const part = { type: 'output_text', text, annotations: [] };
    return [
      say('response.output_item.added', { output_index, item }),
      say('response.content_part.added', { ...at, part: { ...part, text: '' } }),
      ...pieces(text).map((delta) => say('response.output_text.delta', { ...at, delta, logprobs: [] })),
      say('response.output_text.done', { ...at, text, logprobs: [] }),
      say('response.content_part.done', { ...at, part }),
      say('response.output_item.done', { output_index, item: { ...item, status: 'completed', content: [part] } }),
    ];
  };
  const calls = (turn.tool_calls ?? []).map((call, index) => () => {
    output_index += 1;
    const id = `fc_${number}_${index}`;
    const item = {
      id,
      type: 'function_call',
      call_id: `call_${number}_${index}`,
      name: call.name,
      status: 'in_progress',
    };
    const at = { item_id: id, output_index };
    return [
      say('response.output_item.added', { output_index, item: { ...item, arguments: '' } }),
      ...pieces(inputText(call)).map((delta) => say('response.function_call_arguments.delta', { ...at, delta })),
      say('response.function_call_arguments.done', { ...at, arguments: inputText(call) }),
      say('response.output_item.done', {
        output_index,
        item: { ...item, status: 'completed', arguments: inputText(call) },
      }),
    ];
  });
  const usage = {
    input_tokens: input,
    output_tokens: output,
    total_tokens: input + output,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens_details: { reasoning_tokens: 0 },
  };
  const incomplete =
    turn.finish === 'length' ? 'max_output_tokens' : turn.finish === 'filter' ? 'content_filter' : null;
  const end = incomplete === null ? 'completed' : 'incomplete';
  return [
    say('response.created', { response: { ...response, status: 'in_progress' } }),
    ...(text === '' ? [] : message()),
    ...calls.flatMap((call) => call()),
    say(`response.${end}`, {
      response: { ...response, status: end, usage, incomplete_details: incomplete && { reason: incomplete } },
    }),
  ];
}
