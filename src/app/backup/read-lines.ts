import { createReadStream } from 'node:fs';
import { createZstdDecompress } from 'node:zlib';
import { appProblem } from '#app/errors.ts';
import { coreProblem } from '#core/errors.ts';
import { Problem } from '#core/problem/problem.ts';
import { damaged, FORMAT_VERSION, type Header, type Line } from './format.ts';

/** A line of a backup, raw and parsed. */

interface ReadLine {
  /** Including its line end. */
  text: Uint8Array;
  value: Header | Line;
}

/** Longer than any row. A file that claims longer lines would fill the memory. */
const MOST_BYTES = 256 * 1_024 * 1_024;
const LINE_END = 10;

/** Reads lines; the first is a header in a supported format. Throws if any byte is damaged. */
export async function* readLines(path: string): AsyncGenerator<ReadLine[]> {
  let first = true;
  for await (const texts of readTexts(path)) {
    const lines = texts.map((text) => ({ text, value: parsed(text) }));
    if (first) refuseOther(path, lines[0]?.value);
    first = false;
    yield lines;
  }
  if (first) throw damaged('it is empty');
}

/** Reads only the header. */
export async function readHeader(path: string): Promise<Header> {
  for await (const [line] of readLines(path)) return line?.value as Header;
  throw damaged('it is empty');
}

async function* readTexts(path: string): AsyncGenerator<Uint8Array[]> {
  const file = createReadStream(path, { highWaterMark: 512 * 1_024 });
  const plain = createZstdDecompress();
  // `pipe` does not forward errors, and `pipeline` would report a reader that stops early as one.
  file.once('error', (error) => plain.destroy(error));
  try {
    yield* linesOf(file.pipe(plain));
  } catch (cause) {
    throw explained(path, cause as NodeJS.ErrnoException);
  } finally {
    file.destroy();
  }
}

async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array[]> {
  let rest: Uint8Array[] = [];
  let held = 0;
  for await (const chunk of chunks) {
    const last = chunk.lastIndexOf(LINE_END);
    rest.push(last < 0 ? chunk : chunk.subarray(0, last + 1));
    held += chunk.length;
    if (held > MOST_BYTES) throw damaged('a line exceeds the maximum row size');
    if (last < 0) continue;
    const whole = Buffer.concat(rest);
    const lines: Uint8Array[] = [];
    for (let from = 0; from < whole.length; ) {
      const to = whole.indexOf(LINE_END, from) + 1;
      lines.push(whole.subarray(from, to));
      from = to;
    }
    yield lines;
    rest = [chunk.subarray(last + 1)];
    held = chunk.length - last - 1;
  }
  if (held > 0) throw damaged('it ends in the middle of a line');
}

function parsed(text: Uint8Array): Header | Line {
  try {
    const value: unknown = JSON.parse(Buffer.from(text.buffer, text.byteOffset, text.length).toString());
    if (typeof value === 'object' && value !== null) return value as Line;
  } catch {}
  throw damaged('a line is not valid JSON');
}

function refuseOther(path: string, header: Header | Line | undefined): void {
  if (header === undefined || !('capstan_backup' in header)) throw notOurs(path);
  if (header.capstan_backup > FORMAT_VERSION)
    throw appProblem(
      'backup.invalid',
      `${path} was created by a newer program (${header.program_version}, format ` +
        `${header.capstan_backup}). Restore it with that version.`,
      { reason: 'newer_version' },
    );
}

function explained(path: string, error: NodeJS.ErrnoException): unknown {
  if (error instanceof Problem) return error;
  if (`${error.code}` === 'ZSTD_error_prefix_unknown') return notOurs(path, error);
  if (/^(ZSTD|Z)_/.test(`${error.code}`)) return damaged(`${path} is truncated or corrupt (${error.message})`, error);
  return coreProblem('command.file_unavailable', `Cannot read ${path} (${error.code}).`, {
    reason: 'backup_read',
    cause: error,
  });
}

const notOurs = (path: string, cause?: unknown): Problem =>
  appProblem('backup.invalid', `${path} is not a Capstan backup.`, { reason: 'not_a_backup', cause });
