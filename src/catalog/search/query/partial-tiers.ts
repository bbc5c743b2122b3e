import { remembered } from '#core/text/text-cache.ts';
import { andBits, andNotBits } from '../index/bitset.ts';
import { matchRows } from './match.ts';
import type { Reader } from './reader.ts';
import type { Rows } from './row-set.ts';
import { rowsOfTerm } from './terms.ts';
import { copyMatch, groundOf, sieveOf, type Tiers } from './tier-sieve.ts';
import { anyNamed, type Wanted } from './tiers.ts';

/** More terms than the planes below can count are left out. */
export const MOST_PARTIAL_TERMS = 15;

/** Rows with some of the terms: those with most of them first, and of these those with one in the name. */
export function partialTiersOf(reader: Reader, { query, parts, dead, enough }: Wanted): Tiers {
  const ground = groundOf(reader);
  const within = ground.next();
  copyMatch(within, matchRows(reader, { ...query, terms: [] }, dead));
  // Bit i of how many terms a row has stands in plane i.
  const planes = [0, 1, 2, 3].map(() => ground.next().fill(0));
  for (const term of query.terms) countIn(planes, termRows(reader, term));
  const named = anyNamed(reader, parts, ground);
  const some = ground.next();
  for (let w = 0; w < some.length; w++)
    some[w] = planes.reduce((any, plane) => any | (plane[w] as number), 0) & (within[w] as number);
  const sieve = sieveOf(some, ground, enough);
  for (let terms = query.terms.length; terms > 0; terms--) {
    const keep = (set: Int32Array): void => {
      for (const [bit, plane] of planes.entries()) {
        if ((terms & (1 << bit)) === 0) andNotBits(set, set, plane);
        else andBits(set, set, plane);
      }
    };
    sieve.take((set) => {
      keep(set);
      andBits(set, set, named);
    });
    sieve.take(keep);
  }
  return sieve.finish();
}

/** Whether any listing that the other conditions leave has the term. */
export const hasTerm = (reader: Reader, { query, dead }: Pick<Wanted, 'query' | 'dead'>, term: string): boolean =>
  matchRows(reader, { ...query, terms: [term] }, dead).count > 0;

/** In how many listings a term is, whatever the other conditions. */
export function countTerm(reader: Reader, term: string): number {
  const rows = termRows(reader, term);
  return rows.list === null ? rows.count : rows.list.length;
}

const termRows = (reader: Reader, term: string): Rows => remembered(reader.known, term, () => rowsOfTerm(reader, term));

/** Adds one to the number of each row. */
function countIn(planes: Int32Array[], { list, set }: Rows): void {
  if (list === null) {
    for (let w = 0; w < set.length; w++) carry(planes, w, set[w] as number);
    return;
  }
  for (let i = 0; i < list.length; i++) carry(planes, (list[i] as number) >>> 5, 1 << ((list[i] as number) & 31));
}

function carry(planes: Int32Array[], word: number, bits: number): void {
  let left = bits;
  for (let p = 0; left !== 0 && p < planes.length; p++) {
    const plane = planes[p] as Int32Array;
    const before = plane[word] as number;
    plane[word] = before ^ left;
    left &= before;
  }
}
