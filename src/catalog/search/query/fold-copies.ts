import { hasBit } from '../index/bitset.ts';
import { RANKING } from '../ranking.ts';
import type { Filtered } from './filter.ts';
import type { Part } from './part.ts';

/**
 * Leaves one match of those that have the same text: the original, if it matches about as well as the best of them. The scratch memory of
 * the leader's part keeps how many there are, until the next query.
 */
export function foldCopies(parts: readonly Filtered[]): void {
  for (const { part } of parts) forgetGroups(part);
  for (const filtered of parts) countGroups(parts, filtered);
  for (const filtered of parts) chooseFronts(parts, filtered);
  for (const filtered of parts) keepFronts(parts, filtered);
}

/** How many other matches have the text of a hit. Valid until the next query. */
export function copiesOf(parts: readonly Part[], hit: number): number {
  const { segment, copied } = partWith(parts, hit);
  const row = placeIn(hit);
  if (!hasBit(copied, row)) return 0;
  const leader = segment.leaders[row] as number;
  return (partWith(parts, leader).scratch.groupSizes[placeIn(leader)] as number) - 1;
}

/** The hit that is shown for the text of a hit; null if none is. Valid until the next query. */
export function frontOf(parts: readonly Part[], hit: number): number | null {
  const { segment, copied } = partWith(parts, hit);
  const row = placeIn(hit);
  if (!hasBit(copied, row)) return hit;
  const leader = segment.leaders[row] as number;
  const front = partWith(parts, leader).scratch.groupFront[placeIn(leader)] as number;
  if (front === 0) return null;
  return front > 0 ? front - 1 : front;
}

/** Rows of the base are numbered from 0, rows of the delta from -1 down. */
const partWith = (parts: readonly Part[], hit: number): Part => parts[hit >= 0 ? 0 : 1] as Part;
const placeIn = (hit: number): number => (hit >= 0 ? hit : -1 - hit);

function forgetGroups({ scratch }: Part): void {
  const { groups, groupSizes, groupBest, groupFront } = scratch;
  for (let i = 0; i < scratch.groupCount; i++) {
    const at = groups[i] as number;
    groupSizes[at] = 0;
    groupBest[at] = 0;
    groupFront[at] = 0;
  }
  scratch.groupCount = 0;
}

/** Calls with each match that has copies: its row, its score, and where its group is kept. */
function eachCopied(
  parts: readonly Filtered[],
  { part, count }: Filtered,
  act: (row: number, score: number, scratch: Part['scratch'], at: number) => void,
): void {
  const { copied, segment, scratch } = part;
  const { rows, scores } = scratch;
  for (let i = 0; i < count; i++) {
    const row = rows[i] as number;
    if (!hasBit(copied, row)) continue;
    const leader = segment.leaders[row] as number;
    const group = (parts[leader >= 0 ? 0 : 1] as Filtered).part.scratch;
    act(row, scores[i] as number, group, placeIn(leader));
  }
}

function countGroups(parts: readonly Filtered[], filtered: Filtered): void {
  eachCopied(parts, filtered, (_, score, scratch, at) => {
    if (scratch.groupSizes[at] === 0) scratch.groups[scratch.groupCount++] = at;
    scratch.groupSizes[at] = (scratch.groupSizes[at] as number) + 1;
    if (score > (scratch.groupBest[at] as number)) scratch.groupBest[at] = score;
  });
}

function chooseFronts(parts: readonly Filtered[], filtered: Filtered): void {
  const { fronts } = filtered.part.segment;
  const frontIn = (scratch: Part['scratch'], at: number): number => {
    const front = scratch.groupFront[at] as number;
    if (front === 0) return -1;
    const other = parts[front > 0 ? 0 : 1] as Filtered;
    return other.part.segment.fronts[Math.abs(front) - 1] as number;
  };
  eachCopied(parts, filtered, (row, score, scratch, at) => {
    if (score < (scratch.groupBest[at] as number) * RANKING.front) return;
    if ((fronts[row] as number) > frontIn(scratch, at)) scratch.groupFront[at] = numberOf(filtered, row);
  });
}

/** Never 0, which is none. */
const numberOf = ({ part }: Filtered, row: number): number => (part.at === 0 ? row + 1 : -1 - row);

function keepFronts(parts: readonly Filtered[], filtered: Filtered): void {
  const { copied, segment, scratch } = filtered.part;
  const { rows, scores } = scratch;
  let kept = 0;
  for (let i = 0; i < filtered.count; i++) {
    const row = rows[i] as number;
    if (hasBit(copied, row)) {
      const leader = segment.leaders[row] as number;
      const group = (parts[leader >= 0 ? 0 : 1] as Filtered).part.scratch;
      if (group.groupFront[placeIn(leader)] !== numberOf(filtered, row)) continue;
    }
    rows[kept] = row;
    scores[kept++] = scores[i] as number;
  }
  filtered.count = kept;
}

/** Keeps only the matches with the text of one hit, and returns how many. */
export function keepGroup({ segment, scratch }: Part, matched: number, leader: number): number {
  const { rows, scores } = scratch;
  let kept = 0;
  for (let i = 0; i < matched; i++) {
    const row = rows[i] as number;
    if (segment.leaders[row] !== leader) continue;
    rows[kept] = row;
    scores[kept++] = scores[i] as number;
  }
  return kept;
}
