import { CapstanError } from './capstan-error.ts';
import type { ServerEvent } from './stream-items.ts';

/** Streaming bodies. Stopping the iteration ends the request. */

async function* textOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let ended = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      ended = done;
      const text = decoder.decode(value, { stream: !done });
      if (text !== '') yield text;
      if (done) return;
    }
  } finally {
    if (!ended) await reader.cancel().catch(() => {});
  }
}

/** Limit of one line or event, so that an endless one does not fill the memory. */
const MOST_CHARS = 16 * 1024 * 1024;

function limit(chars: number): void {
  if (chars <= MOST_CHARS) return;
  const detail = `The stream tells more than ${MOST_CHARS} characters without an end.`;
  throw new CapstanError({ kind: 'unexpected_answer', code: 'sdk.unexpected_answer', detail });
}

/** Lines without their ends, the last one too where nothing ends it. `\r\n`, `\n` and `\r` end a line. */
async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, void> {
  let rest = '';
  for await (const text of textOf(body)) {
    // A `\r` at the very end may be half of `\r\n`.
    const parts = (rest + text).split(/\r\n|\n|\r(?!$)/);
    rest = parts.pop() as string;
    limit(rest.length);
    yield* parts;
  }
  if (rest !== '') yield rest.replace(/\r$/, '');
}

/** Newline-delimited JSON. */
export async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown, void, void> {
  for await (const line of linesOf(body)) if (line.trim() !== '') yield JSON.parse(line);
}

interface EventStream {
  /** Called with each `retry:`: milliseconds to wait before the next connection. */
  onRetry?: (waitMs: number) => void;
}

/** Server-sent events as the HTML standard reads them. An event that its stream does not end is dropped. */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  { onRetry }: EventStream = {},
): AsyncGenerator<ServerEvent, void, void> {
  let id = '';
  let event = '';
  let data: string[] = [];
  let chars = 0;
  for await (const line of linesOf(body)) {
    if (line === '') {
      if (data.length > 0) yield { event: event || 'message', data: dataOf(data.join('\n')), id };
      event = '';
      data = [];
      chars = 0;
      continue;
    }
    const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) as RegExpExecArray;
    // Empty lines of data count too.
    chars += line.length + 1;
    limit(chars);
    if (name === 'data') data.push(value);
    else if (name === 'event') event = value;
    else if (name === 'id' && !value.includes('\0')) id = value;
    else if (name === 'retry' && /^\d+$/.test(value)) onRetry?.(Number(value));
  }
}

function dataOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
