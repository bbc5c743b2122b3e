import { bitWords, setBit } from '../index/bitset.ts';
import { frequentKey } from '../index/frequent-ngrams.ts';
import { gramAt, lowerBound } from '../index/ngrams.ts';
import type { Segment } from '../index/segment.ts';
import { wordsWith } from '../index/words-with.ts';
import { addBetween, takeBetween } from './rank-sorter.ts';
import type { Reader } from './reader.ts';
import { mostFew, type Rows, rowsOfList, rowsOfSet } from './row-set.ts';

/** Rows with a word that holds `term` (folded, not empty). */
export function rowsOfTerm(reader: Reader, term: string): Rows {
  const bytes = Buffer.from(term);
  const frequent = frequentRows(reader.segment, bytes);
  return frequent === null
    ? rowsOfWords(reader, wordsWith(reader.segment, bytes))
    : rowsOfSet(reader.segment, frequent, 0);
}

function frequentRows({ frequent, frequentSets, count }: Segment, term: Uint8Array): Int32Array | null {
  if (term.length > 3) return null;
  const key = frequentKey(term.length, gramAt(term, 0, term.length));
  const at = lowerBound(frequent, key);
  if (frequent[at] !== key) return null;
  const words = bitWords(count);
  return frequentSets.subarray(at * words, (at + 1) * words);
}

function rowsOfWords({ segment, sorter }: Reader, words: Int32Array): Rows {
  const { wordRowsAt, wordRows, count } = segment;
  const startOf = (word: number): number => wordRowsAt[word] as number;
  if (words.length === 1) {
    const word = words[0] as number;
    return rowsOfList(segment, wordRows.subarray(startOf(word), startOf(word + 1)));
  }
  let most = 0;
  for (let w = 0; w < words.length; w++) most += startOf((words[w] as number) + 1) - startOf(words[w] as number);
  if (most <= mostFew(segment)) {
    let found = 0;
    for (let w = 0; w < words.length; w++) {
      const word = words[w] as number;
      found += addBetween(sorter, wordRows, startOf(word), startOf(word + 1));
    }
    const list = takeBetween(sorter, 0, found, new Int32Array(found));
    return { list, set: null, bytes: list.byteLength };
  }
  const set = new Int32Array(bitWords(count));
  for (let w = 0; w < words.length; w++) {
    const end = startOf((words[w] as number) + 1);
    for (let i = startOf(words[w] as number); i < end; i++) setBit(set, wordRows[i] as number);
  }
  return rowsOfSet(segment, set);
}
