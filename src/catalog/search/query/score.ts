import { popcount, setBit } from '../index/bitset.ts';
import type { CapabilitySegment } from '../index/capability-segment.ts';
import { NAME_BIT } from '../index/field-weights.ts';
import type { Postings } from '../index/postings.ts';
import { RANKING } from '../ranking.ts';
import type { Part } from './marketplace-view.ts';
import type { Plan } from './query-plan.ts';
import { CELL } from './scratch.ts';
import type { Group, Stand } from './vocabulary.ts';

/** Scores the capabilities of one part that have enough of what a plan looks for. */

/** In a cell: points; weight of the groups that the row has; what the group that was counted last gave. */
const [SUM, COVERED, VALUE, MARKS] = [0, 1, 2, 3];
/** In MARKS: the group counted last; above it how many groups the name has; above it which of them was counted last. */
const [NAMED, NAMED_GROUP] = [8, 16];

export interface Wanted {
  plan: Plan;
  /** Of the whole query as a name. */
  name_key: number;
  /** Rows whose id was asked for. */
  ids: readonly number[];
}

/** Answers how many rows match: so many stand in the scratch, with their scores, until the next query. */
export function scoreRows(part: Part, wanted: Wanted): number {
  const { groups, pairs } = wanted.plan;
  const found = groups.filter(({ rarity }) => rarity > 0);
  const weight = weightAsked(part.segment, wanted.plan);
  for (const group of deciding(found, weight.least)) addCandidates(part, group);
  countCandidates(part);
  found.forEach((group, at) => {
    addGroup(part, group, at + 1);
  });
  for (const pair of pairs) addPair(part, pair);
  return takeMatches(part, wanted, weight);
}

/** What a query weighs for a row, and the least share of it that makes a match. */
interface Weight {
  total: number;
  least: number;
}

interface WeightAsked {
  of(row: number): Weight;
  /** No row matches by less. */
  least: number;
}

/**
 * Words that nothing has are left out, but for skills of the service's own: while little or nothing is listed, these would answer
 * whatever is asked by any word of it.
 */
export function weightAsked({ carried }: CapabilitySegment, { groups, unmatched, lacking }: Plan): WeightAsked {
  const total = groups.reduce((sum, { rarity }) => sum + rarity, 0);
  const listed = { total, least: leastShare(groups.length - unmatched.length) };
  const own = { total: total + lacking, least: leastShare(groups.length) };
  return {
    of: lacking > 0 && carried.length > 0 ? (row) => (carried.includes(row) ? own : listed) : () => listed,
    least: Math.min(...[listed, own].map((entry) => entry.least * entry.total)),
  };
}

/** Of terms that anything has at all. Forms of a term count a little less, so one term needs no whole share. */
export const leastShare = (terms: number): number =>
  terms <= 1 ? 0 : Math.max(RANKING.never_less, RANKING.least_share - RANKING.less_share * (terms - 2));

/**
 * Groups of which a match has one at least: the others, all together, weigh less than a match does. Those others are frequent
 * words, and most rows that have one have nothing else: they are passed with a look at one bit.
 */
function deciding(groups: readonly Group[], least_weight: number): readonly Group[] {
  const heaviest = groups.toSorted((a, b) => most(b) - most(a));
  let left = heaviest.length;
  for (let sum = 0; left > 0; left--) {
    sum += most(heaviest[left - 1] as Group);
    if (sum >= least_weight * ROUNDED) break;
  }
  return heaviest.slice(0, left);
}

const most = ({ rarity, stands }: Group): number => rarity * (stands[0]?.weight ?? 0);

/** What rows have is summed up in single precision. */
const ROUNDED = 1 - 1e-4;

function addCandidates({ at, scratch: { candidates } }: Part, { stands }: Group): void {
  for (const stand of stands) {
    const { rows, from, to } = stand.postings[at] as Postings;
    for (let i = from; i < to; i++) setBit(candidates, rows[i] as number);
  }
}

/** Those that stand: what they have is kept side by side, however far their rows are from one another. */
function countCandidates({ dead, scratch: { candidates, before } }: Part): void {
  let count = 0;
  for (let w = 0; w < candidates.length; w++) {
    before[w] = count;
    const living = (candidates[w] as number) & ~(dead === null ? 0 : (dead[w] as number));
    candidates[w] = living;
    count += popcount(living);
  }
}

/** Where a row's cell is; -1 where it is no candidate. */
function cellOf(candidates: Int32Array, before: Int32Array, row: number): number {
  const w = row >>> 5;
  const word = candidates[w] as number;
  const bit = 1 << (row & 31);
  return (word & bit) === 0 ? -1 : CELL * ((before[w] as number) + popcount(word & (bit - 1)));
}

/** Of all that stands for a term the best counts once. `number` is the group's, from 1. */
function addGroup(part: Part, { stands, rarity }: Group, number: number): void {
  for (const stand of stands) addStand(part, stand, rarity, number);
}

/** A synonym in the name is what the name is about; the beginning of another word is not. */
const LEAST_FOR_NAME = 0.65;

function addStand({ at, scratch }: Part, { postings, weight }: Stand, rarity: number, number: number): void {
  const { candidates, before, cells, marks } = scratch;
  const { rows, weights, from, to } = postings[at] as Postings;
  const each = (weight * rarity) / 255;
  const share = rarity * weight;
  const names = weight >= LEAST_FOR_NAME;
  for (let i = from; i < to; i++) {
    const cell = cellOf(candidates, before, rows[i] as number);
    if (cell < 0) continue;
    const packed = weights[i] as number;
    const worth = each * (packed & 255);
    let mark = marks[cell + MARKS] as number;
    if ((mark & 255) === number) {
      const had = cells[cell + VALUE] as number;
      if (worth > had) {
        cells[cell + SUM] = (cells[cell + SUM] as number) + worth - had;
        cells[cell + VALUE] = worth;
      }
    } else {
      mark = (mark & ~255) | number;
      cells[cell + VALUE] = worth;
      cells[cell + SUM] = (cells[cell + SUM] as number) + worth;
      cells[cell + COVERED] = (cells[cell + COVERED] as number) + share;
    }
    if (names && ((packed >> 8) & NAME_BIT) !== 0 && mark >> NAMED_GROUP !== number)
      mark = (number << NAMED_GROUP) | (((mark & 0xffff) + (1 << NAMED)) & 0xffff);
    marks[cell + MARKS] = mark;
  }
}

/** Neighbours add to what has something already. */
function addPair({ at, scratch: { candidates, before, cells } }: Part, { stands, rarity }: Group): void {
  const each = (rarity * RANKING.pair) / 255;
  for (const stand of stands) {
    const { rows, weights, from, to } = stand.postings[at] as Postings;
    for (let i = from; i < to; i++) {
      const cell = cellOf(candidates, before, rows[i] as number);
      if (cell >= 0) cells[cell + SUM] = (cells[cell + SUM] as number) + each * ((weights[i] as number) & 255);
    }
  }
}

/** Leaves candidates and cells as they were. */
function takeMatches({ segment, scratch }: Part, wanted: Wanted, weight: WeightAsked): number {
  const { candidates, cells, marks, rows, scores } = scratch;
  let count = 0;
  let cell = 0;
  for (let w = 0; w < candidates.length; w++) {
    for (let word = candidates[w] as number; word !== 0; word &= word - 1, cell += CELL) {
      const row = (w << 5) + 31 - Math.clz32(word & -word);
      const { total, least } = weight.of(row);
      const share = (cells[cell + COVERED] as number) / total;
      if (share < least) continue;
      const named = ((marks[cell + MARKS] as number) >> NAMED) & 255;
      const words = ((cells[cell + SUM] as number) / total) * worthOf(share, marks[cell + COVERED] as number);
      const name = nameBonus(segment, wanted, row, named) * share;
      rows[count] = row;
      scores[count++] = (words + name) * qualityOf(segment, row) + (wanted.ids.includes(row) ? RANKING.id : 0);
    }
    candidates[w] = 0;
  }
  cells.fill(0, 0, cell);
  return count;
}

/** Shares are few, and a power takes longer than all the rest: what is known by a hash of what is covered, as bits. */
const [SHARES, WORTHS] = [new Float64Array(64).fill(-1), new Float64Array(64)];

function worthOf(share: number, covered: number): number {
  const at = Math.imul(covered, 0x9e3779b1) >>> 26;
  if (SHARES[at] !== share) {
    SHARES[at] = share;
    WORTHS[at] = share ** RANKING.coverage;
  }
  return WORTHS[at] as number;
}

/** `named`: how many groups the name has. */
function nameBonus(segment: CapabilitySegment, { name_key }: Wanted, row: number, named: number): number {
  const length = segment.nameLengths[row] as number;
  const covered = length === 0 ? 0 : Math.min(1, named / length);
  return RANKING.name_covered * covered + (segment.nameKeys[row] === name_key ? RANKING.exact_name : 0);
}

export const qualityOf = ({ priors, copies }: CapabilitySegment, row: number): number =>
  (1 + (RANKING.prior * (priors[row] as number)) / 255) / (COPIED[copies[row] as number] as number);

/** By how many copies there are. */
const COPIED = Float64Array.from(
  { length: 256 },
  (_, copies) => Math.max(1, copies / RANKING.copies) ** RANKING.copied,
);
