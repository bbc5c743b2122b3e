import { andBits, bitWords, setBit } from '../index/bitset.ts';
import { MOST_NAME_PARTS } from '../index/segment.ts';
import type { ListQuery } from './list-query.ts';
import { matchRows } from './match.ts';
import { rowsNamed, rowsNamedLike } from './name-rows.ts';
import type { Reader } from './reader.ts';
import { addRows, copyMatch, type Ground, groundOf, keepRows, sieveOf, type Tiers } from './tier-sieve.ts';

/** What a segment is asked for by relevance. */
export interface Wanted {
  query: ListQuery;
  /** Of the terms, as names have them (fold.ts). */
  parts: readonly string[];
  /** Rows whose very id was asked for; null where no id was. */
  rows: readonly number[] | null;
  dead: Int32Array | null;
  /** Tiers are worked out until they hold so many rows. */
  enough: number;
}

/**
 * Rows with all terms. First by id; then with exactly this name, with all words in it, with all as beginnings of its
 * words, with some of them; then the rest, which have the terms elsewhere.
 */
export function tiersOf(reader: Reader, { query, parts, rows, dead, enough }: Wanted): Tiers {
  const ground = groundOf(reader);
  const rest = ground.next();
  copyMatch(rest, matchRows(reader, query, dead));
  for (const row of rows ?? []) setBit(rest, row);
  const sieve = sieveOf(rest, ground, enough);
  if (rows !== null) sieve.take((set) => keepRows(set, { list: Int32Array.from(rows).sort(), set: null }));
  if (parts.length > 0) takeNamed(reader, parts, ground, sieve.take);
  return sieve.finish();
}

function takeNamed(
  reader: Reader,
  parts: readonly string[],
  ground: Ground,
  take: (narrow: (set: Int32Array) => void) => void,
): void {
  const named = (set: Int32Array): void => {
    for (const part of parts) keepRows(set, rowsNamed(reader, part));
  };
  if (parts.length <= MOST_NAME_PARTS)
    take((set) => {
      named(set);
      andBits(set, set, ofNameSize(reader, parts.length));
    });
  take(named);
  take((set) => {
    for (const part of parts) keepRows(set, rowsNamedLike(reader, part));
  });
  if (parts.length > 1) take((set) => andBits(set, set, anyNamed(reader, parts, ground)));
}

const ofNameSize = ({ segment: { nameSizes, count } }: Reader, parts: number): Int32Array =>
  nameSizes.subarray((parts - 1) * bitWords(count), parts * bitWords(count));

/** Rows with at least one of the parts at the beginning of a word of their name. */
export function anyNamed(reader: Reader, parts: readonly string[], ground: Ground): Int32Array {
  const any = ground.next().fill(0);
  for (const part of parts) addRows(any, rowsNamedLike(reader, part));
  return any;
}
