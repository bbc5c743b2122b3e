import { andBits } from './bits.ts';
import { type Reader, knownRows } from './reader.ts';
import type { ListQuery } from './query.ts';
import { type Rows, rowsOfList, rowsOfSet } from './rows.ts';
import { closedSet } from './segment.ts';
import { rowsOfTerm } from './terms.ts';

/** Hands over the rows of each condition of the query. The three closed fields count as one condition. */
export function eachCondition(reader: Reader, query: ListQuery, take: (rows: Rows) => void): void {
  const { provider, listing_type, execution_class, tag, terms } = query;
  if (provider !== null || listing_type !== null || execution_class !== null) {
    const wanted = `${provider ?? ''} ${listing_type ?? ''} ${execution_class ?? ''}`;
    take(knownRows(reader, `fields ${wanted}`, rowsOfFields, wanted));
  }
  if (tag !== null) take(knownRows(reader, `tag ${tag}`, rowsOfTag, tag));
  // A term holds no space, so it is no other condition's key.
  for (const term of terms) take(knownRows(reader, term, rowsOfTerm));
}

function rowsOfFields({ segment }: Reader, wanted: string): Rows {
  const values = wanted.split(' ');
  let all: Int32Array | null = null;
  for (const [i, field] of (['providers', 'types', 'classes'] as const).entries()) {
    const value = values[i] as string;
    if (value === '') continue;
    const set = closedSet(segment, field, value);
    if (set === undefined) return { list: new Int32Array(0), sets: null };
    if (all === null) {
      all = set;
      continue;
    }
    const both = new Int32Array(set.length);
    andBits(both, all, set);
    all = both;
  }
  return rowsOfSet(segment, all as Int32Array);
}

/** Rows with exactly this tag (folded). */
function rowsOfTag({ segment }: Reader, tag: string): Rows {
  const { tagBytes, tagAt, tagRowsAt, tagRows } = segment;
  const wanted = Buffer.from(tag);
  const text = Buffer.from(tagBytes.buffer, tagBytes.byteOffset, tagBytes.byteLength);
  let low = 0;
  let high = tagAt.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const order = text.compare(wanted, 0, wanted.length, tagAt[middle], tagAt[middle + 1]);
    if (order === 0) return rowsOfList(segment, tagRows.subarray(tagRowsAt[middle], tagRowsAt[middle + 1]));
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return { list: new Int32Array(0), sets: null };
}
