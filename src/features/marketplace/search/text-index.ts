import {
  byteList,
  type IntList,
  intList,
  pushInt,
  pushText,
  shareBytes,
  sharedBytes,
  sharedInts,
  sharedUints,
} from '../../registry/catalog/growing.ts';
import { signatureOf } from './signature.ts';
import type { Weighed } from './texts.ts';

/**
 * Terms with their rows in flat shared arrays. `xAt[i]..xAt[i+1]` is the share of entry i in array x. A posting is
 * `fields << 8 | value` beside its row.
 */
export interface TextIndex {
  /** Terms in byte order of their UTF-8. */
  termBytes: Uint8Array;
  termAt: Uint32Array;
  /** Characters that occur in a term, as bits, and how many it has: what is near in spelling is near in these. */
  signatures: Uint32Array;
  lengths: Uint8Array;
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
  const signatures = sharedUints(terms.length);
  const lengths = sharedBytes(terms.length);
  terms.forEach(({ text }, i) => {
    pushText(bytes, text);
    termAt[i + 1] = bytes.length;
    signatures[i] = signatureOf(text);
    lengths[i] = text.length;
  });
  return { termBytes: shareBytes(bytes), termAt, signatures, lengths };
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
