import { bitWords, membersBetween, setBit } from './bits.ts';
import { gramAt, lowerBound } from './dictionary.ts';
import { frequentKey } from './frequent.ts';
import type { Reader } from './reader.ts';
import { mostFew, type Rows, rowsOfList, rowsOfSet } from './rows.ts';
import type { Segment } from './segment.ts';
import { wordsWith } from './words-with.ts';

/** Rows with a word that holds `term` (folded, not empty). */
export function rowsOfTerm(reader: Reader, term: string): Rows {
  const bytes = Buffer.from(term);
  const frequent = frequentRows(reader.segment, bytes);
  return frequent === null
    ? rowsOfWords(reader, wordsWith(reader.segment, bytes))
    : rowsOfSet(reader.segment, frequent);
}

function frequentRows({ frequent, frequentSets, count }: Segment, term: Uint8Array): Int32Array | null {
  if (term.length > 3) return null;
  const key = frequentKey(term.length, gramAt(term, 0, term.length));
  const at = lowerBound(frequent, key);
  if (frequent[at] !== key) return null;
  const words = bitWords(count);
  return frequentSets.subarray(at * words, (at + 1) * words);
}

function rowsOfWords({ segment, scratch }: Reader, words: Int32Array): Rows {
  const { wordRowsAt, wordRows, count } = segment;
  if (words.length === 1) {
    const word = words[0] as number;
    return rowsOfList(segment, wordRows.subarray(wordRowsAt[word], wordRowsAt[word + 1]));
  }
  let most = 0;
  for (let w = 0; w < words.length; w++) {
    const word = words[w] as number;
    most += (wordRowsAt[word + 1] as number) - (wordRowsAt[word] as number);
  }
  if (most * SORT_BELOW < count) return { list: sortedOnce(gather(segment, words, most)), sets: null };
  const isFew = most <= mostFew(segment);
  const set = isFew ? scratch.sets[1].fill(0) : new Int32Array(bitWords(count));
  for (let w = 0; w < words.length; w++) {
    const word = words[w] as number;
    const end = wordRowsAt[word + 1] as number;
    for (let i = wordRowsAt[word] as number; i < end; i++) setBit(set, wordRows[i] as number);
  }
  return isFew ? { list: membersBetween(set, 0, most), sets: null } : rowsOfSet(segment, set);
}

/** Up to one row in so many, sorting a list is faster than going through a whole set. */
const SORT_BELOW = 1024;

function gather({ wordRowsAt, wordRows }: Segment, words: Int32Array, size: number): Int32Array {
  const list = new Int32Array(size);
  let filled = 0;
  for (const word of words) {
    const rows = wordRows.subarray(wordRowsAt[word], wordRowsAt[word + 1]);
    list.set(rows, filled);
    filled += rows.length;
  }
  return list;
}

function sortedOnce(list: Int32Array): Int32Array {
  list.sort();
  let kept = 0;
  for (let i = 0; i < list.length; i++) if (i === 0 || list[i] !== list[i - 1]) list[kept++] = list[i] as number;
  return list.subarray(0, kept);
}
