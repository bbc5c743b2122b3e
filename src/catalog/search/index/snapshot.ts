import { closeSync, fstatSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { endianness } from 'node:os';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { crc32 } from 'node:zlib';
import { type Segment, type SegmentArray, segmentArrays } from './segment.ts';
import { buildSegment } from './segment-builder.ts';

/**
 * A base segment in a file: one line of JSON, then the arrays one after another. A file that is truncated, damaged, of another format or
 * of another database is ignored.
 */
interface Snapshot {
  /** Identifies the database. The snapshot has all its changes up to `seq`. */
  identity: string;
  seq: number;
  base: Segment;
}

/** Has the version of Unicode, because folding depends on it. */
const FORMAT = `capstan-catalog 4 ${endianness()} unicode-${process.versions.unicode}`;
const MOST_HEADER_BYTES = 65_536;
/** The operating system refuses reads and writes of 2 GiB and more. */
const PIECE_BYTES = 2 ** 28;

interface Header {
  format: string;
  identity: string;
  seq: number;
  count: number;
  checksum: number;
  lengths: Record<string, number>;
}

const fileIn = (dataDir: string): string => join(dataDir, 'catalog.snapshot');

export function writeSnapshot(data_dir: string, { identity, seq, base }: Snapshot): void {
  const arrays = segmentArrays(base);
  const header: Header = {
    format: FORMAT,
    identity,
    seq,
    count: base.count,
    checksum: checksumOf(arrays),
    lengths: Object.fromEntries(arrays.map(([name, array]) => [name, array.length])),
  };
  const draft = `${fileIn(data_dir)}.${process.pid}-${threadId}`;
  const file = openSync(draft, 'w', 0o600);
  try {
    writeAll(file, Buffer.from(`${JSON.stringify(header)}\n`));
    for (const [, array] of arrays) writeAll(file, bytesOf(array));
    closeSync(file);
    renameSync(draft, fileIn(data_dir));
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** Null without a usable snapshot. */
export function readSnapshot(data_dir: string, identity: string): Snapshot | null {
  let file: number;
  try {
    file = openSync(fileIn(data_dir), 'r');
  } catch {
    return null;
  }
  try {
    const { header, end } = readHeader(file);
    if (header.format !== FORMAT || header.identity !== identity) return null;
    const base = readSegment(file, header, end);
    return base === null ? null : { identity, seq: header.seq, base };
  } catch {
    return null;
  } finally {
    closeSync(file);
  }
}

function readHeader(file: number): { header: Header; end: number } {
  const start = Buffer.alloc(MOST_HEADER_BYTES);
  const length = readSync(file, start, 0, start.length, 0);
  const end = start.subarray(0, length).indexOf('\n');
  return { header: JSON.parse(start.toString('utf8', 0, end)), end: end + 1 };
}

function readSegment(file: number, { count, checksum, lengths }: Header, start: number): Segment | null {
  const shape = segmentArrays(buildSegment([]));
  const size = shape.reduce(
    (sum, [name, { BYTES_PER_ELEMENT }]) => sum + (lengths[name] as number) * BYTES_PER_ELEMENT,
    start,
  );
  if (fstatSync(file).size !== size) return null;
  let at = start;
  const arrays = shape.map(([name, like]): [string, SegmentArray] => {
    const array = sharedLike(like, lengths[name] as number);
    readAll(file, bytesOf(array), at);
    at += array.byteLength;
    return [name, array];
  });
  return checksumOf(arrays) === checksum ? ({ count, ...Object.fromEntries(arrays) } as unknown as Segment) : null;
}

function sharedLike(like: SegmentArray, length: number): SegmentArray {
  const memory = new SharedArrayBuffer(length * like.BYTES_PER_ELEMENT);
  if (like instanceof Uint8Array) return new Uint8Array(memory);
  if (like instanceof Uint32Array) return new Uint32Array(memory);
  return like instanceof Int32Array ? new Int32Array(memory) : new Float64Array(memory);
}

const bytesOf = (array: SegmentArray): Uint8Array => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

function checksumOf(arrays: [string, SegmentArray][]): number {
  let sum = 0;
  for (const [, array] of arrays) for (const piece of pieces(bytesOf(array))) sum = crc32(piece, sum);
  return sum;
}

function* pieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (const piece of pieces(bytes)) for (let at = 0; at < piece.length; ) at += writeSync(file, piece, at);
}

function readAll(file: number, bytes: Uint8Array, position: number): void {
  for (let at = 0; at < bytes.length; ) {
    const read = readSync(file, bytes, at, Math.min(PIECE_BYTES, bytes.length - at), position + at);
    if (read === 0) throw new Error('the snapshot is truncated');
    at += read;
  }
}
