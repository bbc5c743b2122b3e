import type { Weighed } from './field-weights.ts';
import {
  byteList,
  type IntList,
  intList,
  pushInt,
  pushText,
  shareBytes,
  sharedInts,
  sharedUints,
} from './shared-arrays.ts';
import { signatureOf } from './signature.ts';

/**
 * Terms with their rows in flat shared arrays. `xAt[i]..xAt[i+1]` is the share of entry i in array x. A posting is
 * `fields << 8 | value` beside its row.
 */
export interface TextIndex {
  /** Terms in byte order of their UTF-8. */
  termBytes: Uint8Array;
  termAt: Uint32Array;
  /**
   * Terms by length, those of `n` characters from `lengthAt[n]` to before `lengthAt[n + 1]`, and in the same order the
   * characters that occur in each, as bits: what is near in spelling is near in both.
   */
  byLength: Uint32Array;
  lengthAt: Uint32Array;
  signatures: Uint32Array;
  rowsAt: Uint32Array;
  /** Ascending within a term. */
  rows: Int32Array;
  weights: Uint16Array;
}

export interface TextBuilder {
  /** The next capability's terms, each once. */
  add(terms: readonly Weighed[]): void;
  /** `rowOrder[row]` is the number in which the capability was added. */
  finish(rowOrder: Int32Array): TextIndex;
}

export function textBuilder(): TextBuilder {
  const ids = new Map<string, number>();
  const [used, weights, endOf] = [intList(), intList(), intList()];
  return {
    add(terms) {
      for (const { term, value, fields } of terms) {
        let id = ids.get(term);
        if (id === undefined) {
          id = ids.size;
          ids.set(term, id);
        }
        pushInt(used, id);
        pushInt(weights, (fields << 8) | value);
      }
      pushInt(endOf, used.length);
    },
    finish(rowOrder) {
      const terms = sortedByBytes(ids);
      const place = new Int32Array(terms.length);
      terms.forEach(({ id }, i) => {
        place[id] = i;
      });
      return { ...layOutTexts(terms), ...layOutRows({ used, weights, endOf }, place, rowOrder) };
    },
  };
}

interface Term {
  text: string;
  id: number;
  bytes: Buffer;
}

const sortedByBytes = (ids: ReadonlyMap<string, number>): Term[] =>
  [...ids]
    .map(([text, id]) => ({ text, id, bytes: Buffer.from(text) }))
    .sort((a, b) => Buffer.compare(a.bytes, b.bytes));

function layOutTexts(terms: readonly Term[]) {
  const bytes = byteList(1024);
  const termAt = sharedUints(terms.length + 1);
  terms.forEach(({ text }, i) => {
    pushText(bytes, text);
    termAt[i + 1] = bytes.length;
  });
  return { termBytes: shareBytes(bytes), termAt, ...layOutLengths(terms) };
}

function layOutLengths(terms: readonly Term[]) {
  const longest = terms.reduce((most, { text }) => Math.max(most, text.length), 0);
  const lengthAt = sharedUints(longest + 2);
  for (const { text } of terms) lengthAt[text.length + 1] = (lengthAt[text.length + 1] as number) + 1;
  for (let i = 0; i <= longest; i++) lengthAt[i + 1] = (lengthAt[i + 1] as number) + (lengthAt[i] as number);
  const next = lengthAt.slice();
  const byLength = sharedUints(terms.length);
  const signatures = sharedUints(terms.length);
  terms.forEach(({ text }, i) => {
    const at = next[text.length] as number;
    next[text.length] = at + 1;
    byLength[at] = i;
    signatures[at] = signatureOf(text);
  });
  return { byLength, lengthAt, signatures };
}

function layOutRows(
  { used, weights, endOf }: Record<'used' | 'weights' | 'endOf', IntList>,
  place: Int32Array,
  rowOrder: Int32Array,
) {
  const rowsAt = sharedUints(place.length + 1);
  for (let u = 0; u < used.length; u++) {
    const next = (place[used.data[u] as number] as number) + 1;
    rowsAt[next] = (rowsAt[next] as number) + 1;
  }
  for (let i = 0; i < place.length; i++) rowsAt[i + 1] = (rowsAt[i + 1] as number) + (rowsAt[i] as number);
  const next = rowsAt.slice();
  const rows = sharedInts(used.length);
  const packed = new Uint16Array(new SharedArrayBuffer(used.length * 2));
  for (let row = 0; row < rowOrder.length; row++) {
    const number = rowOrder[row] as number;
    const end = endOf.data[number] as number;
    for (let u = number === 0 ? 0 : (endOf.data[number - 1] as number); u < end; u++) {
      const term = place[used.data[u] as number] as number;
      const at = next[term] as number;
      rows[at] = row;
      packed[at] = weights.data[u] as number;
      next[term] = at + 1;
    }
  }
  return { rowsAt, rows, weights: packed };
}
