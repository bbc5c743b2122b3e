import { hasBit } from '../index/bitset.ts';
import { lowerBound } from '../index/sorted-rows.ts';
import { BLOCK } from '../index/vectors.ts';
import { RANKING } from '../ranking.ts';
import { DIMENSIONS } from '../text/term-vectors.ts';
import { dotProducts } from './dot-products.ts';
import { orderQueryFor } from './order-query.ts';
import type { Part } from './part.ts';
import type { QueryPlan } from './query-plan.ts';
import { mergeRows } from './row-merge.ts';

/**
 * Listings about the same things, for requests of several words that few listings have: `what to cook with leftovers` finds recipes that
 * name neither. Directions of words come from the catalog itself (`text/term-vectors.ts`), and each row's is in its outline.
 */

/** By part: ascending rows, and the points of each. */
type Related = readonly { rows: Int32Array; points: Float64Array }[];

/** A plan belongs to a view, and what it matches does not change. */
const known = new WeakMap<QueryPlan, Related>();

/**
 * Adds related rows to those that match, in the scratch memory, and gives those that match already as many points if they have fewer.
 * `matched` and the result have the number of rows of each part.
 */
export function addRelated(
  parts: readonly Part[],
  matched: readonly number[],
  text: string,
  plan: QueryPlan,
): number[] {
  const { least_terms, few } = RANKING.related;
  const count = matched.reduce((sum, each) => sum + each, 0);
  if (plan.groups.length < least_terms || count === 0 || count >= few) return [...matched];
  let related = known.get(plan);
  if (related === undefined) {
    const best = parts.reduce((most, { scratch }, i) => bestOf(scratch.scores, matched[i] as number, most), 0);
    related = relatedIn(parts, orderQueryFor(text, plan).meaning, best);
    known.set(plan, related);
  }
  return parts.map((part, i) => {
    const { rows, points } = (related as Related)[i] as Related[number];
    return mergeRows(part, matched[i] as number, rows, points);
  });
}

/** The points of a row for being related; 0 if it is not. */
export function relatedPoints(plan: QueryPlan, part: number, row: number): number {
  const related = known.get(plan)?.[part];
  if (related === undefined) return 0;
  const at = lowerBound(related.rows, row);
  return related.rows[at] === row ? (related.points[at] as number) : 0;
}

function bestOf(scores: Float32Array, count: number, most: number): number {
  let best = most;
  for (let i = 0; i < count; i++) best = Math.max(best, scores[i] as number);
  return best;
}

interface Found {
  part: number;
  row: number;
  cosine: number;
}

/** The most related rows of all parts together. */
function relatedIn(parts: readonly Part[], direction: Int8Array, bestScore: number): Related {
  const { most, least, points } = RANKING.related;
  const found: Found[] = [];
  for (const { at, segment, deleted } of parts) {
    const dots = dotProducts(blocksOf(segment.outlines.meanings), DIMENSIONS, direction);
    const leastDot = least * 127 * 127;
    for (let row = 0; row < segment.count; row++) {
      const dot = dots[row] as number;
      if (dot > leastDot && (deleted === null || !hasBit(deleted, row)))
        found.push({ part: at, row, cosine: dot / (127 * 127) });
    }
  }
  // Ties in the order of downloads.
  const best = found.sort((a, b) => b.cosine - a.cosine || a.part - b.part || a.row - b.row).slice(0, most);
  return parts.map(({ at }) => {
    const own = best.filter(({ part }) => part === at).sort((a, b) => a.row - b.row);
    return {
      rows: Int32Array.from(own, ({ row }) => row),
      points: Float64Array.from(own, ({ cosine }) => (bestScore * points * (cosine - least)) / (1 - least)),
    };
  });
}

function blocksOf(meanings: Int8Array): { vectors: Int8Array }[] {
  const length = BLOCK * DIMENSIONS;
  return Array.from({ length: Math.ceil(meanings.length / length) }, (_, at) => ({
    vectors: meanings.subarray(at * length, (at + 1) * length),
  }));
}
