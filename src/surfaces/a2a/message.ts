import type { Message } from '@a2a-js/sdk';
import type { Sdk } from './sdk.ts';

/** Converts an A2A message to one text for the agent. */

export const INPUT_MODES = ['text/plain', 'text/markdown', 'application/json'] as const;
export const OUTPUT_MODES = ['text/markdown', 'text/plain', 'application/json'] as const;

/** Maximum number of characters, as in chat. */
const MOST_TEXT = 100_000;

/** Text is used as is, data as JSON. Throws the protocol's error for unsupported media types. */
export function textOf({ parts }: Message, { errors }: Sdk): string {
  const texts = parts.map(({ content, mediaType }) => {
    const type = mediaType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
    const isRead = content?.$case === 'text' || content?.$case === 'data';
    if (!isRead || (type !== '' && !(INPUT_MODES as readonly string[]).includes(type)))
      throw new errors.ContentTypeNotSupportedError(
        `The agent accepts text and data parts, as ${INPUT_MODES.join(', ')}. Files and file URLs are not supported.`,
      );
    return content.$case === 'text' ? content.value : JSON.stringify(content.value);
  });
  const text = texts.join('\n\n');
  if (text.length > MOST_TEXT)
    throw new errors.RequestMalformedError(`message.parts must have at most ${MOST_TEXT} characters in total.`);
  if (text.trim() === '') throw new errors.RequestMalformedError('message.parts must not be empty.');
  return text;
}

/** The input for a waiting task: a data part, otherwise the text, parsed if it is JSON. */
export function inputOf(message: Message, sdk: Sdk): unknown {
  const data = message.parts.find(({ content }) => content?.$case === 'data')?.content;
  if (data?.$case === 'data') return data.value;
  const text = textOf(message, sdk);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Returns whether the client accepts a media type of the agent. */
export const canShow = (accepted: readonly string[]): boolean =>
  accepted.length === 0 ||
  accepted.some(
    (outputMode) =>
      outputMode === '*/*' || outputMode === 'text/*' || (OUTPUT_MODES as readonly string[]).includes(outputMode),
  );
