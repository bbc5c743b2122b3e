import { remembered } from '#core/text/text-cache.ts';
import { andBits, bitWords, fillBits, setBit } from '../index/bitset.ts';
import { frequentRows, wordsWith } from '../index/ngrams.ts';
import { addBetween, takeBetween } from '../index/row-sorter.ts';
import { enumSet, type Segment } from '../index/segment.ts';
import { findTerm } from '../index/term-dictionary.ts';
import type { ListQuery } from './list-query.ts';
import type { SegmentReader } from './list-view.ts';
import { mostListed, NO_ROWS, type RowSet, rowsOfList, rowsOfSet } from './row-set.ts';

/** The rows of each condition of a query, from the reader's cache if it has them. */

/** Provider, type and class count as one condition. */
export function conditionsOf(reader: SegmentReader, query: ListQuery): RowSet[] {
  const { provider, listing_type, execution_class, tag } = query;
  const { segment, cache } = reader;
  const found = query.terms.map((term) => rowsOfTerm(reader, term));
  if (tag !== null) found.push(remembered(cache, `tag ${tag}`, () => rowsOfTag(segment, tag)));
  if (provider !== null || listing_type !== null || execution_class !== null) {
    const key = `fields ${provider ?? ''} ${listing_type ?? ''} ${execution_class ?? ''}`;
    found.push(remembered(cache, key, () => rowsOfFields(segment, query)));
  }
  for (const { key, setIn } of query.extra ?? [])
    found.push(remembered(cache, `extra ${key}`, () => rowsOfSet(segment, setIn(segment), 0)));
  return found;
}

/** Rows with a word that contains the term (folded, not empty). A term has no space, so it cannot equal another condition's key. */
const rowsOfTerm = (reader: SegmentReader, term: string): RowSet =>
  remembered(reader.cache, term, () => {
    const { segment } = reader;
    const bytes = Buffer.from(term);
    const frequent = frequentRows(segment, bytes, segment.count);
    return frequent === null ? rowsOfWords(reader, wordsWith(segment, bytes)) : rowsOfSet(segment, frequent, 0);
  });

function rowsOfWords({ segment, sorter }: SegmentReader, words: Int32Array): RowSet {
  const { wordRowsAt, wordRows, count } = segment;
  const startOf = (word: number): number => wordRowsAt[word] as number;
  if (words.length === 1) {
    const word = words[0] as number;
    return rowsOfList(segment, wordRows.subarray(startOf(word), startOf(word + 1)));
  }
  let most = 0;
  for (let w = 0; w < words.length; w++) most += startOf((words[w] as number) + 1) - startOf(words[w] as number);
  if (most <= mostListed(segment)) {
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

function rowsOfFields(segment: Segment, query: ListQuery): RowSet {
  const set = new Int32Array(bitWords(segment.count));
  fillBits(set, segment.count);
  const wanted = { providers: query.provider, types: query.listing_type, classes: query.execution_class };
  for (const [field, value] of Object.entries(wanted) as [keyof typeof wanted, string | null][]) {
    if (value === null) continue;
    const rows = enumSet(segment, field, value);
    if (rows === undefined) return NO_ROWS;
    andBits(set, set, rows);
  }
  return rowsOfSet(segment, set);
}

const rowsOfTag = (segment: Segment, tag: string): RowSet => rowsOfList(segment, tagRows(segment, tag));

/** Rows with exactly this tag (folded), ascending. */
export function tagRows({ tagBytes, tagAt, tagRowsAt, tagRows: rows }: Segment, tag: string): Int32Array {
  const number = findTerm(tagBytes, tagAt, tag);
  return number < 0 ? rows.subarray(0, 0) : rows.subarray(tagRowsAt[number], tagRowsAt[number + 1]);
}
