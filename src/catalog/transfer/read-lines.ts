import { PassThrough, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** Splits bytes into lines and unpacks gzip, which is detected by content, not by file name. */

export type Line = { number: number; bytes: Buffer } | { number: number; too_long: true };

const NEW_LINE = 0x0a;
const GZIP = [0x1f, 0x8b];

/** Lines without their line ends. A line longer than `max_bytes` is reported and skipped without being held in memory. */
export async function* readLines(source: AsyncIterable<Uint8Array>, max_bytes: number): AsyncGenerator<Line> {
  let number = 1;
  let parts: Buffer[] = [];
  let length = 0;
  const take = (end: Buffer): Line => {
    const size = length + end.length;
    const line: Line =
      size > max_bytes ? { number, too_long: true } : { number, bytes: trimmed(Buffer.concat([...parts, end])) };
    number++;
    parts = [];
    length = 0;
    return line;
  };
  for await (const chunk of unpacked(source)) {
    let from = 0;
    for (let at = chunk.indexOf(NEW_LINE); at !== -1; at = chunk.indexOf(NEW_LINE, from)) {
      yield take(chunk.subarray(from, at));
      from = at + 1;
    }
    const rest = chunk.subarray(from);
    length += rest.length;
    if (length <= max_bytes) parts.push(rest);
    else parts = [];
  }
  if (length > 0) yield take(Buffer.alloc(0));
}

const trimmed = (line: Buffer): Buffer => (line.at(-1) === 0x0d ? line.subarray(0, -1) : line);

async function* unpacked(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const chunks = source[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  while (head.length < GZIP.length) {
    const { done, value } = await chunks.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  const whole = Readable.from(rejoined(head, chunks), { objectMode: false });
  if (!GZIP.every((byte, at) => head[at] === byte)) {
    for await (const chunk of whole) yield chunk as Buffer;
    return;
  }
  yield* gunzipped(whole);
}

/** Throws only after yielding everything that could be unpacked; an error in a `pipeline` would discard it. */
async function* gunzipped(packed: Readable): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  const unpacked = new PassThrough();
  const failures: Error[] = [];
  for (const stream of [packed, gunzip])
    stream.once('error', (error) => {
      failures.push(error);
      unpacked.end();
    });
  packed.pipe(gunzip).pipe(unpacked);
  try {
    for await (const chunk of unpacked) yield chunk as Buffer;
  } finally {
    packed.destroy();
    gunzip.destroy();
  }
  if (failures.length > 0) throw failures[0];
}

async function* rejoined(head: Buffer, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (head.length > 0) yield head;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}
