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
  /** Weight of the groups that a row has, and of the group that was counted last. */
  covered: Float32Array;
  group: Uint8Array;
  value: Float32Array;
  /** How many groups it has in its name, and the one that was counted last. */
  named: Uint8Array;
  namedGroup: Uint8Array;
  touched: Int32Array;
  /** Rows and values of a conjunction. */
  rows: Int32Array;
  weights: Uint16Array;
}

export const newScratch = (count: number): Scratch => ({
  scores: new Float32Array(count),
  covered: new Float32Array(count),
  group: new Uint8Array(count),
  value: new Float32Array(count),
  named: new Uint8Array(count),
  namedGroup: new Uint8Array(count),
  touched: new Int32Array(count),
  rows: new Int32Array(count),
  weights: new Uint16Array(count),
});

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
  const { covered, touched } = scratch;
  const total = groups.reduce((sum, { rarity }) => sum + rarity, 0);
  let count = 0;
  for (const [g, group] of groups.entries()) {
    if (group.rarity === 0) continue;
    for (const stand of group.stands) count = addStand(segment, scratch, { stand, group, number: g + 1, dead }, count);
  }
  const least = leastShare(groups.filter(({ rarity }) => rarity > 0).length);
  for (const pair of pairs) addPair(segment, scratch, pair);
  let matched = 0;
  for (let i = 0; i < count; i++) {
    const row = touched[i] as number;
    const share = (covered[row] as number) / total;
    if (share >= least) {
      scratch.scores[row] = finalScore(segment, scratch, wanted, { row, share, total });
      touched[matched++] = row;
    }
    forget(scratch, row);
  }
  return { rows: touched, count: matched };
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
  const { scores, covered, value, touched, named } = scratch;
  const ofGroup = scratch.group;
  const { namedGroup } = scratch;
  const postings = postingsOf(segment, scratch, stand.terms);
  const { rows, weights } = postings;
  const each = (stand.weight * group.rarity) / 255;
  const { rarity } = group;
  const counts_as_name = stand.weight >= LEAST_FOR_NAME;
  let count = before;
  for (let i = postings.from; i < postings.to; i++) {
    const row = rows[i] as number;
    if (dead !== null && hasBit(dead, row)) continue;
    const packed = weights[i] as number;
    const worth = each * (packed & 255);
    const last = ofGroup[row] as number;
    if (last === number) {
      const had = value[row] as number;
      if (worth > had) {
        scores[row] = (scores[row] as number) + worth - had;
        value[row] = worth;
      }
    } else {
      if (last === 0) {
        touched[count++] = row;
        scores[row] = 0;
      }
      ofGroup[row] = number;
      value[row] = worth;
      scores[row] = (scores[row] as number) + worth;
      covered[row] = (covered[row] as number) + rarity * stand.weight;
    }
    if (counts_as_name && ((packed >> 8) & NAME_BIT) !== 0 && namedGroup[row] !== number) {
      namedGroup[row] = number;
      named[row] = (named[row] as number) + 1;
    }
  }
  return count;
}

/** A synonym in the name is what the name is about; the beginning of another word is not. */
const LEAST_FOR_NAME = 0.65;

function addPair(segment: CapabilitySegment, { scores, group }: Scratch, pair: Group): void {
  const { text } = segment;
  const at = findTerm(text, pair.term);
  if (at < 0) return;
  const each = (pair.rarity * RANKING.pair) / 255;
  for (let i = text.rowsAt[at] as number; i < (text.rowsAt[at + 1] as number); i++) {
    const row = text.rows[i] as number;
    if (group[row] !== 0) scores[row] = (scores[row] as number) + each * ((text.weights[i] as number) & 255);
  }
}

interface Row {
  row: number;
  share: number;
  total: number;
}

function finalScore(segment: CapabilitySegment, scratch: Scratch, wanted: Wanted, { row, share, total }: Row): number {
  const words = ((scratch.scores[row] as number) / total) * share ** RANKING.coverage;
  const name = nameBonus(segment, scratch, wanted, row) * share;
  const id = wanted.ids.includes(row) ? RANKING.id : 0;
  return (words + name) * qualityOf(segment, row) + id;
}

export function nameBonus(segment: CapabilitySegment, { named }: Scratch, { name_key }: Wanted, row: number): number {
  const length = segment.nameLengths[row] as number;
  const covered = length === 0 ? 0 : Math.min(1, (named[row] as number) / length);
  return RANKING.name_covered * covered + (segment.nameKeys[row] === name_key ? RANKING.exact_name : 0);
}

export function qualityOf({ priors, copies }: CapabilitySegment, row: number): number {
  const prior = 1 + (RANKING.prior * (priors[row] as number)) / 255;
  const over = (copies[row] as number) / RANKING.copies;
  return over <= 1 ? prior : prior / over ** RANKING.copied;
}

function forget({ covered, group, value, named, namedGroup }: Scratch, row: number): void {
  covered[row] = 0;
  group[row] = 0;
  value[row] = 0;
  named[row] = 0;
  namedGroup[row] = 0;
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
  { text }: CapabilitySegment,
  scratch: Pick<Scratch, 'rows' | 'weights'>,
  terms: readonly string[],
): Postings {
  const places = terms.map((term) => findTerm(text, term));
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
