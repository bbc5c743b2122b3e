import { remembered } from '#core/text/text-cache.ts';
import { andBits, bitWords, fillBits } from '../index/bitset.ts';
import { closedSet, type Segment } from '../index/segment.ts';
import { textAt } from '../index/term-dictionary.ts';
import type { ListQuery } from './list-query.ts';
import type { Reader } from './reader.ts';
import { NONE, type Rows, rowsOfList, rowsOfSet } from './row-set.ts';
import { rowsOfTerm } from './terms.ts';

/** The rows of each condition of the query. The three closed fields count as one condition. */
export function conditionsOf(reader: Reader, query: ListQuery): Rows[] {
  const { provider, listing_type, execution_class, tag } = query;
  const { segment } = reader;
  // A term holds no space, so it is no other condition's key.
  const found = query.terms.map((term) => remembered(reader.known, term, () => rowsOfTerm(reader, term)));
  if (tag !== null) found.push(remembered(reader.known, `tag ${tag}`, () => rowsOfTag(segment, tag)));
  if (provider !== null || listing_type !== null || execution_class !== null) {
    const key = `fields ${provider ?? ''} ${listing_type ?? ''} ${execution_class ?? ''}`;
    found.push(remembered(reader.known, key, () => rowsOfFields(segment, query)));
  }
  for (const { key, setIn } of query.also ?? [])
    found.push(remembered(reader.known, `also ${key}`, () => rowsOfSet(segment, setIn(segment), 0)));
  return found;
}

function rowsOfFields(segment: Segment, query: ListQuery): Rows {
  const set = new Int32Array(bitWords(segment.count));
  fillBits(set, segment.count);
  const wanted = { providers: query.provider, types: query.listing_type, classes: query.execution_class };
  for (const [field, value] of Object.entries(wanted) as [keyof typeof wanted, string | null][]) {
    if (value === null) continue;
    const ofValue = closedSet(segment, field, value);
    if (ofValue === undefined) return NONE;
    andBits(set, set, ofValue);
  }
  return rowsOfSet(segment, set);
}

/** Rows with exactly this tag (folded). */
function rowsOfTag(segment: Segment, tag: string): Rows {
  const { tagBytes, tagAt, tagRowsAt, tagRows } = segment;
  const at = textAt(tagBytes, tagAt, Buffer.from(tag));
  return at < 0 ? NONE : rowsOfList(segment, tagRows.subarray(tagRowsAt[at], tagRowsAt[at + 1]));
}
