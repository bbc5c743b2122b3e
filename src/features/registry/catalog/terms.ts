import { LRUCache } from 'lru-cache';
import { bitWords, membersBetween, setBit } from './bits.ts';
import { gramAt, isContinuation, lowerBound } from './dictionary.ts';
import { frequentKey } from './frequent.ts';
import type { Segment } from './segment.ts';
import { keepBoth } from './sieve.ts';

/** Rows of one term: ascending where they are few, a set of bits where they are many. */
export type Rows = { list: Int32Array; set: null } | { list: null; set: Int32Array };

/** A segment with what the reading thread keeps beside it. */
export interface Reader {
  segment: Segment;
  /** Rows by search term, at most 64 bytes a listing. */
  terms: LRUCache<string, Rows>;
  /** Two sets to work in; whoever uses one is done with it before it returns. */
  scratch: [Int32Array, Int32Array];
}

export function readerOf(segment: Segment): Reader {
  const words = bitWords(segment.count);
  const sizeOf = ({ list, set }: Rows): number => (list ?? set).byteLength + 128;
  return {
    segment,
    terms: new LRUCache({ maxSize: Math.max(65_536, segment.count * 64), sizeCalculation: sizeOf }),
    scratch: [new Int32Array(words), new Int32Array(words)],
  };
}

/** Rows with a word that holds `term` (folded, not empty). */
export function rowsOfTerm(reader: Reader, term: string): Rows {
  const known = reader.terms.get(term);
  if (known !== undefined) return known;
  const bytes = Buffer.from(term);
  const frequent = frequentRows(reader.segment, bytes);
  if (frequent !== null) return { list: null, set: frequent };
  const rows = rowsOfWords(reader, wordsWith(reader.segment, bytes));
  reader.terms.set(term, rows);
  return rows;
}

/** Rows with exactly this tag (folded). */
export function rowsOfTag({ tagBytes, tagAt, tagRowsAt, tagRows }: Segment, tag: string): Rows {
  const wanted = Buffer.from(tag);
  const text = Buffer.from(tagBytes.buffer, tagBytes.byteOffset, tagBytes.byteLength);
  let low = 0;
  let high = tagAt.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const order = text.compare(wanted, 0, wanted.length, tagAt[middle], tagAt[middle + 1]);
    if (order === 0) return { list: tagRows.subarray(tagRowsAt[middle], tagRowsAt[middle + 1]), set: null };
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return { list: new Int32Array(0), set: null };
}

function frequentRows({ frequent, frequentSets, count }: Segment, term: Uint8Array): Int32Array | null {
  if (term.length > 3) return null;
  const key = frequentKey(term.length, gramAt(term, 0, term.length));
  const at = lowerBound(frequent, key);
  if (frequent[at] !== key) return null;
  const words = bitWords(count);
  return frequentSets.subarray(at * words, (at + 1) * words);
}

/** Word numbers, ascending; some twice where the term is shorter than three bytes. */
export function wordsWith(segment: Segment, term: Uint8Array): Int32Array {
  const { grams, gramWordsAt, gramWords } = segment;
  const first = gramAt(term, 0, term.length);
  if (term.includes(0))
    return holding(
      segment,
      Int32Array.from({ length: segment.wordAt.length - 1 }, (_, i) => i),
      term,
    );
  if (term.length < 3) {
    const from = lowerBound(grams, first);
    const to = lowerBound(grams, first + (term.length === 1 ? 0x10000 : 0x100));
    return gramWords.subarray(gramWordsAt[from], gramWordsAt[to]);
  }
  const lists: Int32Array[] = [];
  for (let at = 0; at + 3 <= term.length; at++) {
    if (isContinuation(term[at] as number)) continue;
    const gram = gramAt(term, at, term.length);
    const slot = lowerBound(grams, gram);
    if (grams[slot] !== gram) return new Int32Array(0);
    lists.push(gramWords.subarray(gramWordsAt[slot], gramWordsAt[slot + 1]));
  }
  lists.sort((a, b) => a.length - b.length);
  const [fewest, second] = lists as [Int32Array, Int32Array | undefined];
  if (second === undefined) return term.length === 3 ? fewest : holding(segment, fewest, term);
  const both = fewest.slice();
  return holding(segment, both.subarray(0, keepBoth(both, both.length, second)), term);
}

function holding({ wordBytes, wordAt }: Segment, words: Int32Array, term: Uint8Array): Int32Array {
  const found = new Int32Array(words.length);
  const first = term[0] as number;
  let count = 0;
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as number;
    const last = (wordAt[word + 1] as number) - term.length;
    for (let at = wordAt[word] as number; at <= last; at++) {
      if (wordBytes[at] !== first) continue;
      let same = 1;
      while (same < term.length && wordBytes[at + same] === term[same]) same++;
      if (same < term.length) continue;
      found[count++] = word;
      break;
    }
  }
  return found.subarray(0, count);
}

function rowsOfWords(reader: Reader, words: Int32Array): Rows {
  const { wordRowsAt, wordRows, count } = reader.segment;
  if (words.length === 1) {
    const word = words[0] as number;
    return { list: wordRows.subarray(wordRowsAt[word], wordRowsAt[word + 1]), set: null };
  }
  let most = 0;
  for (let w = 0; w < words.length; w++) {
    const word = words[w] as number;
    most += (wordRowsAt[word + 1] as number) - (wordRowsAt[word] as number);
  }
  if (most * SORT_BELOW < count) return { list: sortedOnce(gather(reader.segment, words, most)), set: null };
  const isMany = most * LIST_BELOW > count;
  const set = isMany ? new Int32Array(bitWords(count)) : reader.scratch[1].fill(0);
  for (let w = 0; w < words.length; w++) {
    const word = words[w] as number;
    const end = wordRowsAt[word + 1] as number;
    for (let i = wordRowsAt[word] as number; i < end; i++) setBit(set, wordRows[i] as number);
  }
  return isMany ? { list: null, set } : { list: membersBetween(set, 0, most), set: null };
}

/** Up to one row in so many, a list is kept: it is smaller than a set, and sieved faster. */
const LIST_BELOW = 128;
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
