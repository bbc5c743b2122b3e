import { hashOf, type TextCache, textCache } from '../../../platform/text-cache.ts';
import { hasBit } from '../../registry/catalog/bits.ts';
import { findTerm } from './dictionary.ts';
import type { Group, Plan, Stand } from './plan.ts';
import { RANKING } from './ranking.ts';
import type { CapabilitySegment } from './segment.ts';
import { NAME_BIT } from './texts.ts';

/** Scores the capabilities of one segment that have anything of what a plan looks for. */

/** To work in: as long as the segment, and all zeros between two uses but for `scores`. */
export interface Scratch {
  scores: Float32Array;
  /** Four a row, side by side because a query goes from row to row at random: SUM, COVERED, VALUE and MARKS. */
  cells: Float32Array;
  /** The same memory. */
  marks: Int32Array;
  touched: Int32Array;
  /** Rows and values of a conjunction. */
  rows: Int32Array;
  weights: Uint16Array;
  /** By a tag's number, and the tags that are counted. */
  tagCounts: Int32Array;
  tags: Int32Array;
  /** Where terms stand in the segment's dictionary. */
  places: TextCache<number>;
}

export const newScratch = ({ count, list }: CapabilitySegment): Scratch => ({
  scores: new Float32Array(count),
  ...newCells(count),
  touched: new Int32Array(count),
  rows: new Int32Array(count),
  weights: new Uint16Array(count),
  tagCounts: new Int32Array(list.tagAt.length),
  tags: new Int32Array(list.tagAt.length),
  places: textCache({ most_bytes: PLACES_BYTES, bytesOf: () => BYTES_A_PLACE }),
});

const CELL = 4;
/** Points; weight of the groups that it has; what the group that was counted last gave. */
const [SUM, COVERED, VALUE, MARKS] = [0, 1, 2, 3];
/** In MARKS: the group counted last; above it how many groups the name has; above it which of them was counted last. */
const [GROUP, NAMED, NAMED_GROUP] = [0, 8, 16];

function newCells(count: number): Pick<Scratch, 'cells' | 'marks'> {
  const cells = new Float32Array(count * CELL);
  return { cells, marks: new Int32Array(cells.buffer) };
}

const PLACES_BYTES = 2 ** 20;
const BYTES_A_PLACE = 128;

/** -1 where it is not there. */
export function placeOf({ text }: CapabilitySegment, { places }: Pick<Scratch, 'places'>, term: string): number {
  const hash = hashOf(term);
  let place = places.get(term, hash);
  if (place === undefined) {
    place = findTerm(text, term);
    places.set(term, place, hash);
  }
  return place;
}

export interface Scored {
  /** The first `count` are the rows that match; their scores are in `scratch.scores`. Valid until the next query. */
  rows: Int32Array;
  count: number;
}

export interface Wanted {
  plan: Plan;
  /** Of the whole query as a name. */
  name_key: number;
  /** Rows whose id was asked for. */
  ids: readonly number[];
}

export function scoreSegment(
  segment: CapabilitySegment,
  scratch: Scratch,
  wanted: Wanted,
  dead: Int32Array | null,
): Scored {
  const { groups, pairs } = wanted.plan;
  const { cells, touched } = scratch;
  const askedOf = weightAsked(segment, wanted.plan);
  let count = 0;
  for (const [g, group] of groups.entries()) {
    if (group.rarity === 0) continue;
    for (const stand of group.stands) count = addStand(segment, scratch, { stand, group, number: g + 1, dead }, count);
  }
  for (const pair of pairs) addPair(segment, scratch, pair);
  let matched = 0;
  for (let i = 0; i < count; i++) {
    const row = touched[i] as number;
    const { total, least } = askedOf(row);
    const share = (cells[row * CELL + COVERED] as number) / total;
    if (share >= least) {
      scratch.scores[row] = finalScore(segment, scratch, wanted, { row, share, total });
      touched[matched++] = row;
    }
    cells.fill(0, row * CELL, row * CELL + CELL);
  }
  return { rows: touched, count: matched };
}

/**
 * What the query weighs, and the least share of it that makes a match. Words that nothing has are left out, but for skills of
 * the service's own: while little or nothing is listed, these would answer whatever is asked by any word of it.
 */
export function weightAsked({ carried }: CapabilitySegment, { groups, unmatched, lacking }: Plan) {
  const total = groups.reduce((sum, { rarity }) => sum + rarity, 0);
  const listed = { total, least: leastShare(groups.length - unmatched.length) };
  const own = { total: total + lacking, least: leastShare(groups.length) };
  return (row: number): { total: number; least: number } => (lacking > 0 && carried.includes(row) ? own : listed);
}

/** Of terms that anything has at all. Forms of a term count a little less, so one term needs no whole share. */
export const leastShare = (terms: number): number =>
  terms <= 1 ? 0 : Math.max(RANKING.never_less, RANKING.least_share - RANKING.less_share * (terms - 2));

interface Adding {
  stand: Stand;
  group: Group;
  /** From 1. */
  number: number;
  dead: Int32Array | null;
}

/** Of all that stands for a term the best counts once. */
function addStand(
  segment: CapabilitySegment,
  scratch: Scratch,
  { stand, group, number, dead }: Adding,
  before: number,
): number {
  const { cells, marks, touched } = scratch;
  const postings = postingsOf(segment, scratch, stand.terms);
  const { rows, weights } = postings;
  const each = (stand.weight * group.rarity) / 255;
  const share = group.rarity * stand.weight;
  const counts_as_name = stand.weight >= LEAST_FOR_NAME;
  let count = before;
  for (let i = postings.from; i < postings.to; i++) {
    const row = rows[i] as number;
    if (dead !== null && hasBit(dead, row)) continue;
    const packed = weights[i] as number;
    const worth = each * (packed & 255);
    const cell = row * CELL;
    let mark = marks[cell + MARKS] as number;
    const last = (mark >> GROUP) & 255;
    if (last === number) {
      const had = cells[cell + VALUE] as number;
      if (worth > had) {
        cells[cell + SUM] = (cells[cell + SUM] as number) + worth - had;
        cells[cell + VALUE] = worth;
      }
    } else {
      if (last === 0) touched[count++] = row;
      mark = (mark & ~255) | number;
      cells[cell + VALUE] = worth;
      cells[cell + SUM] = (cells[cell + SUM] as number) + worth;
      cells[cell + COVERED] = (cells[cell + COVERED] as number) + share;
    }
    if (counts_as_name && ((packed >> 8) & NAME_BIT) !== 0 && mark >> NAMED_GROUP !== number)
      mark = (number << NAMED_GROUP) | (((mark & 0xffff) + (1 << NAMED)) & 0xffff);
    marks[cell + MARKS] = mark;
  }
  return count;
}

/** A synonym in the name is what the name is about; the beginning of another word is not. */
const LEAST_FOR_NAME = 0.65;

function addPair(segment: CapabilitySegment, scratch: Scratch, pair: Group): void {
  const { text } = segment;
  const { cells, marks } = scratch;
  const at = placeOf(segment, scratch, pair.term);
  if (at < 0) return;
  const each = (pair.rarity * RANKING.pair) / 255;
  for (let i = text.rowsAt[at] as number; i < (text.rowsAt[at + 1] as number); i++) {
    const cell = (text.rows[i] as number) * CELL;
    if (marks[cell + MARKS] !== 0)
      cells[cell + SUM] = (cells[cell + SUM] as number) + each * ((text.weights[i] as number) & 255);
  }
}

interface Row {
  row: number;
  share: number;
  total: number;
}

function finalScore(segment: CapabilitySegment, scratch: Scratch, wanted: Wanted, { row, share, total }: Row): number {
  const words = ((scratch.cells[row * CELL + SUM] as number) / total) * share ** RANKING.coverage;
  const named = ((scratch.marks[row * CELL + MARKS] as number) >> NAMED) & 255;
  const name = nameBonus(segment, named, wanted, row) * share;
  const id = wanted.ids.includes(row) ? RANKING.id : 0;
  return (words + name) * qualityOf(segment, row) + id;
}

function nameBonus(segment: CapabilitySegment, named: number, { name_key }: Wanted, row: number): number {
  const length = segment.nameLengths[row] as number;
  const covered = length === 0 ? 0 : Math.min(1, named / length);
  return RANKING.name_covered * covered + (segment.nameKeys[row] === name_key ? RANKING.exact_name : 0);
}

export function qualityOf({ priors, copies }: CapabilitySegment, row: number): number {
  const prior = 1 + (RANKING.prior * (priors[row] as number)) / 255;
  const over = (copies[row] as number) / RANKING.copies;
  return over <= 1 ? prior : prior / over ** RANKING.copied;
}

interface Postings {
  rows: Int32Array;
  weights: Uint16Array;
  from: number;
  to: number;
}

const NONE: Postings = { rows: new Int32Array(0), weights: new Uint16Array(0), from: 0, to: 0 };

/** Of several terms what has all of them, as much as the least of them. */
export function postingsOf(
  segment: CapabilitySegment,
  scratch: Pick<Scratch, 'rows' | 'weights' | 'places'>,
  terms: readonly string[],
): Postings {
  const { text } = segment;
  const places = terms.map((term) => placeOf(segment, scratch, term));
  if (places.some((at) => at < 0)) return NONE;
  const shareOf = (at: number) => ({ from: text.rowsAt[at] as number, to: text.rowsAt[at + 1] as number });
  const [first, ...others] = places.map(shareOf).sort((a, b) => a.to - a.from - (b.to - b.from));
  if (first === undefined) return NONE;
  if (others.length === 0) return { rows: text.rows, weights: text.weights, ...first };
  let count = first.to - first.from;
  scratch.rows.set(text.rows.subarray(first.from, first.to));
  scratch.weights.set(text.weights.subarray(first.from, first.to));
  for (const { from, to } of others) {
    let kept = 0;
    let at = from;
    for (let i = 0; i < count; i++) {
      const row = scratch.rows[i] as number;
      while (at < to && (text.rows[at] as number) < row) at++;
      if (at === to) break;
      if (text.rows[at] !== row) continue;
      scratch.rows[kept] = row;
      scratch.weights[kept++] = both(scratch.weights[i] as number, text.weights[at] as number);
    }
    count = kept;
  }
  return { rows: scratch.rows, weights: scratch.weights, from: 0, to: count };
}

/** In the name only where both are. */
const both = (a: number, b: number): number => (a & b & 0xff00) | Math.min(a & 255, b & 255);
