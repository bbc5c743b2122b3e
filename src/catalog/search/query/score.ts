import { hasBit, popcount, setBit } from '../index/bitset.ts';
import type { CapabilitySegment } from '../index/capability-segment.ts';
import { NAME_BIT } from '../index/field-weights.ts';
import type { Postings } from '../index/text-index.ts';
import { RANKING } from '../ranking.ts';
import { CELL, type Part } from './part.ts';
import type { QueryPlan } from './query-plan.ts';
import type { Expansion, TermGroup } from './vocabulary.ts';

/** Scores the rows of one part that have enough of a query: (words + name) × quality + id. `answer/explain.ts` shows the parts. */

/** In a cell: the points so far, the weight of the groups that the row has, and the points of the last group. */
const [SUM, COVERED, VALUE, MARKS] = [0, 1, 2, 3];
/** In MARKS: the last group; above it how many groups the name has; above it the last group that the name has. */
const [NAMED, NAMED_GROUP] = [8, 16];

interface ScoreQuery {
  plan: QueryPlan;
  /** Hash of the text as a name. */
  name_key: number;
  /** Rows with the requested id. */
  ids: readonly number[];
}

/** Returns how many rows match. They are in the scratch memory with their scores until the next query. */
export function scoreRows(part: Part, query: ScoreQuery): number {
  const { groups, pairs } = query.plan;
  const found = groups.filter(({ idf }) => idf > 0);
  const weight = weightOf(part.segment, query.plan);
  for (const group of requiredGroups(found, weight.least)) addCandidates(part, group);
  countCandidates(part);
  found.forEach((group, at) => {
    addGroup(part, group, at + 1);
  });
  for (const pair of pairs) addPair(part, pair);
  return takeMatches(part, query, weight);
}

/** What a query weighs for a row, and the share of it that the row must have to match. */
interface Weight {
  total: number;
  least: number;
}

interface QueryWeight {
  of(row: number): Weight;
  /** The least weight with which any row matches. */
  least: number;
}

/**
 * Terms that nothing has do not count, except for built-in skills. While few or no capabilities are listed, those would otherwise match
 * every query that has any of their words.
 */
export function weightOf(
  { builtIn }: CapabilitySegment,
  { groups, unmatched, unmatchedWeight }: QueryPlan,
): QueryWeight {
  const total = groups.reduce((sum, { idf }) => sum + idf, 0);
  const listed = { total, least: leastShare(groups.length - unmatched.length) };
  const own = { total: total + unmatchedWeight, least: leastShare(groups.length) };
  return {
    of: unmatchedWeight > 0 && builtIn.length > 0 ? (row) => (builtIn.includes(row) ? own : listed) : () => listed,
    least: Math.min(...[listed, own].map((weight) => weight.least * weight.total)),
  };
}

/** For the number of terms that anything has. Forms count a little less than 1, so a single term requires no full share. */
export const leastShare = (terms: number): number =>
  terms <= 1 ? 0 : Math.max(RANKING.never_less, RANKING.least_share - RANKING.less_share * (terms - 2));

/**
 * The groups of which every match has at least one, because all others together weigh less than a match. Those others are frequent
 * words, and most rows with them have nothing else: one bit tells that such a row is not a candidate.
 */
function requiredGroups(groups: readonly TermGroup[], leastWeight: number): readonly TermGroup[] {
  const heaviest = groups.toSorted((a, b) => mostWeight(b) - mostWeight(a));
  let left = heaviest.length;
  for (let sum = 0; left > 0; left--) {
    sum += mostWeight(heaviest[left - 1] as TermGroup);
    if (sum >= leastWeight * ROUNDED) break;
  }
  return heaviest.slice(0, left);
}

const mostWeight = ({ idf, expansions }: TermGroup): number => idf * (expansions[0]?.weight ?? 0);

/** Sums per row are in single precision. */
const ROUNDED = 1 - 1e-4;

function addCandidates({ at, scratch: { candidates } }: Part, { expansions }: TermGroup): void {
  for (const expansion of expansions) {
    const { rows, from, to } = expansion.postings[at] as Postings;
    for (let i = from; i < to; i++) setBit(candidates, rows[i] as number);
  }
}

/** Removes deleted rows and numbers the others, because the cells of candidates are side by side, however far apart the rows are. */
function countCandidates({ deleted, scratch: { candidates, before } }: Part): void {
  let count = 0;
  for (let w = 0; w < candidates.length; w++) {
    before[w] = count;
    const live = (candidates[w] as number) & ~(deleted === null ? 0 : (deleted[w] as number));
    candidates[w] = live;
    count += popcount(live);
  }
}

/** The start of a row's cell; -1 if it is not a candidate. */
function cellOf(candidates: Int32Array, before: Int32Array, row: number): number {
  const w = row >>> 5;
  const word = candidates[w] as number;
  const bit = 1 << (row & 31);
  return (word & bit) === 0 ? -1 : CELL * ((before[w] as number) + popcount(word & (bit - 1)));
}

/** `number` is the group's, from 1. */
function addGroup(part: Part, { expansions, idf }: TermGroup, number: number): void {
  for (const expansion of expansions) addExpansion(part, expansion, idf, number);
}

/** From this weight on, an expansion in a name counts for the name: a synonym does, a longer word does not. */
const LEAST_FOR_NAME = 0.65;

/** Of a group's expansions the best counts. */
function addExpansion({ at, scratch }: Part, { postings, weight }: Expansion, idf: number, number: number): void {
  const { candidates, before, cells, marks } = scratch;
  const { rows, weights, from, to } = postings[at] as Postings;
  const each = (weight * idf) / 255;
  const share = idf * weight;
  const countsForName = weight >= LEAST_FOR_NAME;
  for (let i = from; i < to; i++) {
    const cell = cellOf(candidates, before, rows[i] as number);
    if (cell < 0) continue;
    const packed = weights[i] as number;
    const points = each * (packed & 255);
    let mark = marks[cell + MARKS] as number;
    if ((mark & 255) === number) {
      const had = cells[cell + VALUE] as number;
      if (points > had) {
        cells[cell + SUM] = (cells[cell + SUM] as number) + points - had;
        cells[cell + VALUE] = points;
      }
    } else {
      mark = (mark & ~255) | number;
      cells[cell + VALUE] = points;
      cells[cell + SUM] = (cells[cell + SUM] as number) + points;
      cells[cell + COVERED] = (cells[cell + COVERED] as number) + share;
    }
    if (countsForName && ((packed >> 8) & NAME_BIT) !== 0 && mark >> NAMED_GROUP !== number)
      mark = (number << NAMED_GROUP) | (((mark & 0xffff) + (1 << NAMED)) & 0xffff);
    marks[cell + MARKS] = mark;
  }
}

/** Adds to candidates only. */
function addPair({ at, scratch: { candidates, before, cells } }: Part, { expansions, idf }: TermGroup): void {
  const each = (idf * RANKING.pair) / 255;
  for (const expansion of expansions) {
    const { rows, weights, from, to } = expansion.postings[at] as Postings;
    for (let i = from; i < to; i++) {
      const cell = cellOf(candidates, before, rows[i] as number);
      if (cell >= 0) cells[cell + SUM] = (cells[cell + SUM] as number) + each * ((weights[i] as number) & 255);
    }
  }
}

/** Clears candidates and cells. */
function takeMatches({ segment, scratch }: Part, query: ScoreQuery, weight: QueryWeight): number {
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
      const words = ((cells[cell + SUM] as number) / total) * coverageOf(share, marks[cell + COVERED] as number);
      const name = nameBonus(segment, query, row, named) * share;
      rows[count] = row;
      scores[count++] = (words + name) * qualityOf(segment, row) + (query.ids.includes(row) ? RANKING.id : 0);
    }
    candidates[w] = 0;
  }
  cells.fill(0, 0, cell);
  return count;
}

/** There are few different shares, and a power takes longer than all the rest, so powers are cached by the bits of what is covered. */
const [SHARES, POWERS] = [new Float64Array(64).fill(-1), new Float64Array(64)];

function coverageOf(share: number, coveredBits: number): number {
  const at = Math.imul(coveredBits, 0x9e3779b1) >>> 26;
  if (SHARES[at] !== share) {
    SHARES[at] = share;
    POWERS[at] = share ** RANKING.coverage;
  }
  return POWERS[at] as number;
}

/** `named` is how many groups the name has. */
function nameBonus(segment: CapabilitySegment, { name_key }: ScoreQuery, row: number, named: number): number {
  const length = segment.nameLengths[row] as number;
  const covered = length === 0 ? 0 : Math.min(1, named / length);
  return RANKING.name_covered * covered + (segment.nameKeys[row] === name_key ? exactName(segment, row) : 0);
}

const exactName = ({ proven }: CapabilitySegment, row: number): number =>
  hasBit(proven, row) ? RANKING.exact_name : RANKING.unproven_name;

export const qualityOf = ({ priors, copies }: CapabilitySegment, row: number): number =>
  (1 + (RANKING.prior * (priors[row] as number)) / 255) / (COPY_DIVISORS[copies[row] as number] as number);

/** By number of copies. */
const COPY_DIVISORS = Float64Array.from(
  { length: 256 },
  (_, copies) => Math.max(1, copies / RANKING.copies) ** RANKING.copied,
);
