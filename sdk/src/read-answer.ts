import { CapstanError } from './capstan-error.ts';
import type { Operation } from './operation.ts';
import { readEvents, readLines } from './streams.ts';

/** Reads a response by its media type: JSON parsed, text as text, files as bytes, streams as iterators. */

export const isStream = (type: string): boolean => /^(text\/event-stream|application\/x-ndjson)$/.test(type);
const isJson = (type: string): boolean => /[/+]json$/.test(type);
const isText = (type: string): boolean => /^text\/|[/+](xml|yaml|javascript)$/.test(type);

const typeOf = (headers: Headers): string =>
  (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

/** Files are of any type. */
const answersBytes = ({ media: [first = ''] }: Operation): boolean =>
  first !== '' && !isJson(first) && !isText(first) && !isStream(first);

export async function readAnswer(
  response: Response,
  operation: Operation,
  accept?: string,
  onRetry?: (ms: number) => void,
) {
  const { status, headers, body } = response;
  if (status === 304) return undefined;
  if (operation.redirects && !response.ok) return { location: headers.get('location') };
  const type = typeOf(headers);
  if (isStream(type) && body !== null) {
    if (type === 'application/x-ndjson') return readLines(body);
    return readEvents(body, onRetry === undefined ? {} : { onRetry });
  }
  if (answersBytes(operation)) return new Uint8Array(await response.arrayBuffer());
  const text = await response.text();
  if (text === '') return undefined;
  if (!fits(operation, accept, type)) throw unexpected(operation, type);
  if (!isJson(type)) return text;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw unexpected(operation, `${type} that is not JSON`, cause);
  }
}

const fits = ({ media }: Operation, accept: string | undefined, type: string): boolean =>
  media.length === 0 || (accept === undefined ? media.includes(type) : accept === type);

const unexpected = ({ method, path, media }: Operation, type: string, cause?: unknown): CapstanError =>
  new CapstanError({
    kind: 'unexpected_answer',
    code: 'sdk.unexpected_answer',
    detail: `${method} ${path} answers ${type || 'without a media type'} and not ${media.join(' or ')}. Is \`base_url\` a Capstan service?`,
    cause,
  });
