import { data, type Turn, USAGE } from './turn.ts';

/** The stream of `POST /models/<name>:streamGenerateContent`, event by event. */
export function contentEvents(turn: Turn, model: string, number: number): string[] {
  const { input, output } = turn.usage ?? USAGE;
  const base = { responseId: `resp-${number}`, modelVersion: model };
  const say = (parts: object[], more: object = {}, top: object = {}) =>
    data({ candidates: [{ content: { role: 'model', parts }, index: 0, ...more }], ...base, ...top });
  const finishReason = turn.finish === 'length' ? 'MAX_TOKENS' : turn.finish === 'filter' ? 'SAFETY' : 'STOP';
  return [
    ...(turn.text === undefined ? [] : [say([{ text: turn.text }])]),
    ...(turn.tool_calls ?? []).map(({ name, input: args }) => say([{ functionCall: { name, args: args ?? {} } }])),
    say(
      [],
      { finishReason },
      { usageMetadata: { promptTokenCount: input, candidatesTokenCount: output, totalTokenCount: input + output } },
    ),
  ];
}

export const googleError = (status: number, message: string): string =>
  JSON.stringify({ error: { code: status, message, status: 'ERROR' } });
