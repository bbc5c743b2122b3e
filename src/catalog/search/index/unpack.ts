import { compileWasm, type WasmFunction } from '#core/wasm.ts';
import { bufferOver } from './arrays.ts';
import { bytesOfRow, DICTIONARY_BYTES, type PackedJson } from './packed-json.ts';

/**
 * The WebAssembly that unpacks rows (packed-json.ts), because a call of `copy` for each text takes longer than the copying. Most texts
 * are at most 64 bytes. So 64 are always copied, and more only for longer ones: a branch that is rarely mispredicted.
 *
 * ```wat
 * (func (export "run") (param $in i32) (param $end i32) (param $out i32)
 *   (local $step i32) (local $from i32) (local $to i32)
 *   (loop $steps
 *     (local.set $step (i32.load (local.get $in)))
 *     (local.set $from (i32.add (local.get $in) (i32.const 4)))
 *     (local.set $in (i32.add (local.get $from) (i32.and (local.get $step) (i32.const 255))))
 *     (local.set $to (local.get $out))
 *     (local.set $out (i32.add (local.get $out) (i32.and (local.get $step) (i32.const 255))))
 *     ;; copy
 *     (local.set $from (i32.shr_u (local.get $step) (i32.const 18)))
 *     (local.set $from (select
 *       (local.get $from)
 *       (i32.sub (i32.add (local.get $out) (i32.const 8192)) (local.get $from))
 *       (i32.lt_u (local.get $from) (i32.const 8192))))
 *     (local.set $to (local.get $out))
 *     (local.set $out (i32.add (local.get $out)
 *       (i32.and (i32.shr_u (local.get $step) (i32.const 8)) (i32.const 1023))))
 *     ;; copy
 *     (br_if $steps (i32.lt_u (local.get $in) (local.get $end)))))
 * ```
 *
 * where `copy` copies from `$from` to all before `$out`, and up to 63 bytes more:
 *
 * ```wat
 * (v128.store (local.get $to) (v128.load (local.get $from))) ;; and the same with offset=16, offset=32 and offset=48
 * (if (i32.lt_u (local.tee $to (i32.add (local.get $to) (i32.const 64))) (local.get $out))
 *   (then
 *     (local.set $from (i32.add (local.get $from) (i32.const 64)))
 *     (loop $more
 *       (v128.store (local.get $to) (v128.load (local.get $from))) ;; and the same with offset=16
 *       (local.set $from (i32.add (local.get $from) (i32.const 32)))
 *       (br_if $more (i32.lt_u (local.tee $to (i32.add (local.get $to) (i32.const 32))) (local.get $out))))))
 * ```
 */
const SIXTEEN = ['00', '10', '20', '30'].map((offset) => `20052004fd0000${offset}fd0b00${offset}`);
const COPY = [
  ...SIXTEEN,
  '200541c0006a22052002490440', // if
  '200441c0006a2104', // $from
  '0340', // loop $more
  ...SIXTEEN.slice(0, 2),
  '200441206a2104', // $from
  '200541206a22052002490d00', // next $more
  '0b0b',
];
const CODE = [
  '01037f', // locals
  '0340', // loop $steps
  '20002800002103', // $step
  '200041046a2104', // $from
  '2004200341ff01716a2100', // $in
  '20022105', // $to
  '2002200341ff01716a2102', // $out
  ...COPY,
  '20034112762104', // $from
  '200420024180c0006a20046b20044180c000491b2104', // select
  '20022105', // $to
  '2002200341087641ff07716a2102', // $out
  ...COPY,
  '20002001490d00', // next $steps
  '0b0b',
].join('');

/** So much more may be read or written past an end. */
const SLACK_BYTES = 64;
/** Of a batch of rows, unpacked. A longer row gets more room. */
const ROOM_BYTES = 131_072;
/** A byte that is packed alone takes five. */
const MOST_GROWTH = 5;

/** Of this thread. In its memory are a dictionary, the output and the input, in this order. */
interface Unpacker {
  wasm: WasmFunction;
  /** Over its memory. */
  memory: Buffer;
  room_bytes: number;
  dictionary: Uint8Array | null;
}

/** Compiled with its first use. */
let current: Unpacker | null = null;

interface PackedSource {
  segment: PackedJson;
  /** A Buffer over the segment's packed bytes. */
  json: Buffer;
}

/** Writes the JSON of the rows and returns one past its end. With much more room in the target, rows are counted into batches first. */
export function unpackRows(source: PackedSource, rows: Int32Array, target: Buffer, start: number): number {
  current ??= newUnpacker();
  let at = start;
  for (let from = 0; from < rows.length; ) {
    const fits = target.length - at <= current.room_bytes;
    const to = fits ? rows.length : endOfBatch(current, source.segment, rows, from);
    const bytes = unpackBatch(current, source, rows, { from, to });
    at += current.memory.copy(target, at, DICTIONARY_BYTES, DICTIONARY_BYTES + bytes);
    from = to;
  }
  return at;
}

export function unpackRow(segment: PackedJson, row: number): string {
  current ??= newUnpacker();
  const rows = Int32Array.of(row);
  const to = endOfBatch(current, segment, rows, 0);
  const bytes = unpackBatch(current, { segment, json: bufferOver(segment.json) }, rows, { from: 0, to });
  return current.memory.toString('utf8', DICTIONARY_BYTES, DICTIONARY_BYTES + bytes);
}

function newUnpacker(): Unpacker {
  const unpacker: Unpacker = { wasm: compileWasm(3, CODE), memory: Buffer.alloc(0), room_bytes: 0, dictionary: null };
  makeRoom(unpacker, ROOM_BYTES);
  return unpacker;
}

function makeRoom(unpacker: Unpacker, room_bytes: number): void {
  const { wasm } = unpacker;
  wasm.growTo(DICTIONARY_BYTES + (1 + MOST_GROWTH) * room_bytes + 2 * SLACK_BYTES);
  unpacker.memory = Buffer.from(wasm.memory.buffer);
  unpacker.room_bytes = room_bytes;
}

/** One past the rows that fit into the room together: at least one. */
function endOfBatch(unpacker: Unpacker, segment: PackedJson, rows: Int32Array, from: number): number {
  let bytes = bytesOfRow(segment, rows[from] as number);
  if (bytes > unpacker.room_bytes) makeRoom(unpacker, bytes);
  let to = from + 1;
  for (; to < rows.length; to++) {
    bytes += bytesOfRow(segment, rows[to] as number);
    if (bytes > unpacker.room_bytes) break;
  }
  return to;
}

/** Leaves the JSON of rows after the dictionary and returns its length. */
function unpackBatch(
  unpacker: Unpacker,
  { segment: { jsonAt, plainAt, dictionary }, json }: PackedSource,
  rows: Int32Array,
  { from, to }: { from: number; to: number },
): number {
  const { memory, wasm, room_bytes } = unpacker;
  // Rows without a dictionary leave another one in place.
  if (dictionary !== unpacker.dictionary && dictionary.length > 0) {
    memory.set(dictionary);
    unpacker.dictionary = dictionary;
  }
  const input = DICTIONARY_BYTES + room_bytes + SLACK_BYTES;
  let [at, bytes] = [input, 0];
  for (let i = from; i < to; ) {
    const row = rows[i++] as number;
    let end = row + 1;
    // Neighbouring rows are copied together.
    for (; i < to && rows[i] === end; i++) end++;
    at += json.copy(memory, at, jsonAt[row], jsonAt[end]);
    bytes += (plainAt[end] as number) - (plainAt[row] as number);
  }
  if (at > input) wasm.run(input, at, DICTIONARY_BYTES);
  return bytes;
}
