import { lowerBound } from '../index/sorted-rows.ts';
import type { Aid } from './aid.ts';
import type { Filtered } from './filter.ts';
import { type AidedHit, fuse } from './fuse.ts';
import { rowOfHit } from './list-view.ts';
import type { NearestHits } from './nearest-rows.ts';
import { hitsBetween, type Ordered } from './order.ts';
import type { Part } from './part.ts';

/** Pages of a search that an operator's models aided. */

/**
 * Adds the nearest capabilities to the first `count` rows of the scratch memory, before filters and facets see them, so that totals
 * include them. Those with none of the words have the score 0. Returns how many rows there are.
 */
export function addNearest({ at, scratch: { rows, scores } }: Part, count: number, { nearest }: Aid): number {
  const matched = rows.subarray(0, count);
  const added = Array.from(nearest.hits)
    .filter((hit) => hit >= 0 === (at === 0))
    .map(rowOfHit)
    .filter((row) => matched[lowerBound(matched, row)] !== row)
    .sort((a, b) => a - b);
  const all = count + added.length;
  let last = count - 1;
  for (let to = all - 1; added.length > 0; to--) {
    const next = added[added.length - 1] as number;
    if (last >= 0 && (rows[last] as number) > next) {
      rows[to] = rows[last] as number;
      scores[to] = scores[last--] as number;
    } else {
      rows[to] = added.pop() as number;
      scores[to] = 0;
    }
  }
  return all;
}

/** Each of the nearest as the hit that is shown for it, once. */
export function frontsOf(nearest: NearestHits, frontOf: (hit: number) => number | null): NearestHits {
  const fronts = new Map<number, number>();
  nearest.hits.forEach((hit, at) => {
    const front = frontOf(hit);
    if (front !== null && !fronts.has(front)) fronts.set(front, nearest.similarities[at] as number);
  });
  return { hits: Int32Array.from(fronts.keys()), similarities: Float32Array.from(fronts.values()) };
}

/** `order` has that many. */
export function aidedHits(
  parts: readonly Filtered[],
  { limit, offset }: { limit: number; offset: number },
  aid: Aid,
  order: Ordered,
): AidedHit[] {
  const worded = hitsBetween(order, 0, order.worded);
  return fuse(worded, aid, (hit) => scoreIn(parts, hit)).slice(offset, offset + limit);
}

/** Null if the hit does not match or does not pass the filters. */
export function scoreIn([base, delta = base]: readonly Filtered[], hit: number): number | null {
  const { part, count } = (hit >= 0 ? base : delta) as Filtered;
  const rows = part.scratch.rows.subarray(0, count);
  const at = lowerBound(rows, rowOfHit(hit));
  return at < count && rows[at] === rowOfHit(hit) ? (part.scratch.scores[at] as number) : null;
}
