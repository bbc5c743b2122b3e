import { sharedBytes, sharedUints } from './arrays.ts';
import { learnDictionary } from './learn-dictionary.ts';

/**
 * The JSON of rows, packed. A row is a series of steps. Each is four bytes, then literal bytes:
 *
 * | bits | what |
 * |---|---|
 * | 0 to 7 | how many literal bytes follow |
 * | 8 to 17 | how many bytes are then copied |
 * | 18 to 31 | from where: a place in the dictionary, or `DICTIONARY_BYTES` and how far back in the same row |
 *
 * `unpack.ts` copies 64 bytes at a time, so nothing is copied from less far back.
 */
export interface PackedJson {
  json: Uint8Array;
  jsonAt: Uint32Array;
  /** Where the rows would be without packing: `plainAt[i + 1] - plainAt[i]` is the length of row i. */
  plainAt: Uint32Array;
  /** Text that occurs often in the rows. Empty for few rows. */
  dictionary: Uint8Array;
}

export const DICTIONARY_BYTES = 8_192;
const STEP_BYTES = 4;
const LEAST_BACK = 64;
const MOST_BACK = 2 ** 14 - 1 - DICTIONARY_BYTES;
/** A shorter match saves little and is one more step. */
const LEAST_MATCH = 56;
const MOST_LITERALS = 2 ** 8 - 1;
const MOST_COPIED = 2 ** 10 - 1;

/** Learning a dictionary takes some 20 ms, which deltas, built with every change, should not. */
const LEAST_ROWS = 4_096;
const SAMPLE_ROWS = 1_024;
/** One long row is not what the others are like. */
const SAMPLED_BYTES = 2_048;

/** Matches are found by a hash of their first bytes, among the last of the row and a few of the dictionary. */
const HASHED = 16;
const HASH_BITS = 14;
const MOST_TRIES = 8;

/** In texts where nothing is found, matches are looked for in greater distances: after 32 bytes in every second place. */
const SKIP_SHIFT = 5;

interface Packer {
  text: Buffer;
  /** The same memory. */
  view: DataView;
  dictionary: Buffer;
  /** By hash: one past the first place in the dictionary, and by place one past the next with the same hash; 0 for none. */
  first: Uint16Array;
  next: Uint16Array;
  /** By hash: where it was last seen in the text. */
  seen: Uint32Array;
  /** Where the last match was found. */
  source: number;
  out: Buffer;
  length: number;
}

/** Of the unpacked JSON. */
export const bytesOfRow = ({ plainAt }: PackedJson, row: number): number =>
  (plainAt[row + 1] as number) - (plainAt[row] as number);

/** Packs the texts `textAt[i]` to before `textAt[i + 1]`, in the order of the rows. The same texts give the same bytes. */
export function packRows(text: Buffer, textAt: readonly number[], rowOrder: Int32Array): PackedJson {
  const packer = newPacker(text, rowOrder.length < LEAST_ROWS ? Buffer.alloc(0) : dictionaryOf(text, textAt, rowOrder));
  const [jsonAt, plainAt] = [sharedUints(rowOrder.length + 1), sharedUints(rowOrder.length + 1)];
  for (let row = 0; row < rowOrder.length; row++) {
    const i = rowOrder[row] as number;
    const [from, to] = [textAt[i] as number, textAt[i + 1] as number];
    packRow(packer, from, to);
    jsonAt[row + 1] = packer.length;
    plainAt[row + 1] = (plainAt[row] as number) + to - from;
  }
  return {
    json: sharedCopy(packer.out.subarray(0, packer.length)),
    jsonAt,
    plainAt,
    dictionary: sharedCopy(packer.dictionary),
  };
}

/** From rows in equal distances. */
function dictionaryOf(text: Buffer, textAt: readonly number[], rowOrder: Int32Array): Buffer {
  const sample = Array.from({ length: SAMPLE_ROWS }, (_, n) => {
    const i = rowOrder[Math.floor((n * rowOrder.length) / SAMPLE_ROWS)] as number;
    const from = textAt[i] as number;
    return text.subarray(from, Math.min(textAt[i + 1] as number, from + SAMPLED_BYTES));
  });
  return learnDictionary(Buffer.concat(sample), DICTIONARY_BYTES);
}

function newPacker(text: Buffer, dictionary: Buffer): Packer {
  const [first, next] = [new Uint16Array(1 << HASH_BITS), new Uint16Array(dictionary.length)];
  const words = viewOf(dictionary);
  for (let at = dictionary.length - HASHED; at >= 0; at--) {
    const hash = hashAt(words, at);
    next[at] = first[hash] as number;
    first[hash] = at + 1;
  }
  const seen = new Uint32Array(1 << HASH_BITS);
  const out = Buffer.allocUnsafeSlow(65_536);
  return { text, view: viewOf(text), dictionary, first, next, seen, source: 0, out, length: 0 };
}

function packRow(packer: Packer, from: number, to: number): void {
  let [literals, at] = [from, from];
  while (at + LEAST_MATCH <= to) {
    const length = findMatch(packer, at, from, to);
    if (length < LEAST_MATCH) at += 1 + ((at - literals) >> SKIP_SHIFT);
    else {
      writeStep(packer, literals, at, length);
      at += length;
      literals = at;
    }
  }
  if (literals < to) writeStep(packer, literals, to, 0);
}

/** The length of the longest match that is found; `packer.source` has its place. */
function findMatch(packer: Packer, at: number, from: number, to: number): number {
  const { text, view, dictionary, first, next, seen } = packer;
  const most = Math.min(MOST_COPIED, to - at);
  const hash = hashAt(view, at);
  let longest = 0;
  let place = first[hash] as number;
  for (let tries = 0; place > 0 && tries < MOST_TRIES; tries++, place = next[place - 1] as number) {
    // Only a longer match has the same byte there.
    if (dictionary[place - 1 + longest] !== text[at + longest]) continue;
    const length = matchLength(text, at, dictionary, place - 1, Math.min(most, dictionary.length - place + 1));
    if (length > longest) [longest, packer.source] = [length, place - 1];
  }
  const back = at - (seen[hash] as number);
  seen[hash] = at;
  if (back < LEAST_BACK || back > MOST_BACK || at - back < from) return longest;
  const length = matchLength(text, at, text, at - back, most);
  if (length <= longest) return longest;
  packer.source = DICTIONARY_BYTES + back;
  return length;
}

const viewOf = ({ buffer, byteOffset, length }: Buffer): DataView => new DataView(buffer, byteOffset, length);

function hashAt(bytes: DataView, at: number): number {
  const first = Math.imul(bytes.getInt32(at, true), 0x9e3779b1) ^ Math.imul(bytes.getInt32(at + 4, true), 0x85ebca6b);
  const last =
    Math.imul(bytes.getInt32(at + 8, true), 0xc2b2ae35) ^ Math.imul(bytes.getInt32(at + 12, true), 0x27d4eb2f);
  return (first ^ last) >>> (32 - HASH_BITS);
}

function matchLength(a: Buffer, aAt: number, b: Buffer, bAt: number, most: number): number {
  let length = 0;
  while (length < most && a[aAt + length] === b[bAt + length]) length++;
  return length;
}

function writeStep(packer: Packer, from: number, to: number, copied: number): void {
  let at = from;
  for (; to - at > MOST_LITERALS; at += MOST_LITERALS) writePart(packer, at, at + MOST_LITERALS, 0);
  writePart(packer, at, to, copied);
}

function writePart(packer: Packer, from: number, to: number, copied: number): void {
  const most = packer.length + STEP_BYTES + MOST_LITERALS;
  if (most > packer.out.length) {
    const grown = Buffer.allocUnsafeSlow(packer.out.length * 2);
    packer.out.copy(grown, 0, 0, packer.length);
    packer.out = grown;
  }
  const { out, length } = packer;
  out.writeUInt32LE(((to - from) | (copied << 8) | (copied === 0 ? 0 : packer.source << 18)) >>> 0, length);
  packer.text.copy(out, length + STEP_BYTES, from, to);
  packer.length = length + STEP_BYTES + to - from;
}

function sharedCopy(bytes: Buffer): Uint8Array {
  const shared = sharedBytes(bytes.length);
  shared.set(bytes);
  return shared;
}
