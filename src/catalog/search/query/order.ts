import type { ScoredHit } from './heap.ts';
import { addFeatures, FEATURE_COUNT, FEATURES, type Feature } from './order-features.ts';
import { type OrderQuery, orderQueryOf } from './order-query.ts';
import { readWeights } from './order-weights.ts';
import type { Part } from './part.ts';
import type { QueryPlan } from './query-plan.ts';
import type { TopRows } from './top-k.ts';

/**
 * The order of the best matches, learned from judgements (`bench/search/learn.ts`). The first ORDERED by score are sorted by their scores
 * and points for their features together. All others follow by score.
 */

export const ORDERED = 64;

/** Rows in the answer's order, with what was added to their scores. Valid until the next query. */
export interface Ordered extends TopRows {
  /** So many have any of the words. Others, found by an operator's models, follow with the score 0. */
  worded: number;
  /** The first so many are in the learned order. */
  ordered: number;
  /** Where each of those was by score. */
  ranks: Int32Array;
  /** By place by score: the score, and FEATURE_COUNT numbers. */
  before: Float64Array;
  features: Float64Array;
  /** A weight per feature for this query, in points of the best score. */
  weights: Float64Array;
  /** What all of the ordered have more, so that none has less than those that follow. */
  lift: number;
}

const features = new Float64Array(ORDERED * FEATURE_COUNT);
const weights = new Float64Array(FEATURE_COUNT);
const ranks = new Int32Array(ORDERED);
const before = new Float64Array(ORDERED);
/** The candidates by score, with their points. */
const found = { parts: new Uint8Array(ORDERED), rows: new Int32Array(ORDERED), scores: new Float64Array(ORDERED) };

/** Plans are cached, so what is made of them is, too. */
const queries = new WeakMap<QueryPlan, OrderQuery>();

/** `top` has one more than ORDERED, if there are as many. It is reordered in place. */
export function orderTop(parts: readonly Part[], top: TopRows, text: string, plan: QueryPlan): Ordered {
  let worded = top.count;
  while (worded > 0 && top.scores[worded - 1] === 0) worded--;
  const count = Math.min(ORDERED, worded);
  const best = count === 0 ? 0 : (top.scores[0] as number);
  let query = queries.get(plan);
  if (query === undefined) {
    query = orderQueryOf(text, plan);
    queries.set(plan, query);
  }
  readWeights(query.groups, best, weights);
  addFeatures(parts, { count, parts: top.parts, rows: top.rows, scores: top.scores }, query, features);
  before.set(top.scores.subarray(0, count));
  found.parts.set(top.parts.subarray(0, count));
  found.rows.set(top.rows.subarray(0, count));
  let least = Number.POSITIVE_INFINITY;
  for (let at = 0; at < count; at++) {
    let score = before[at] as number;
    const from = at * FEATURE_COUNT;
    for (let f = 0; f < FEATURE_COUNT; f++) score += (weights[f] as number) * (features[from + f] as number);
    found.scores[at] = score;
    least = Math.min(least, score);
    ranks[at] = at;
  }
  const order = ranks.subarray(0, count);
  // Ties keep the order of their scores.
  order.sort((a, b) => (found.scores[b] as number) - (found.scores[a] as number) || a - b);
  const next = top.count > count ? (top.scores[count] as number) : 0;
  const lift = Math.max(0, next - least);
  for (let at = 0; at < count; at++) {
    const rank = order[at] as number;
    top.parts[at] = found.parts[rank] as number;
    top.rows[at] = found.rows[rank] as number;
    top.scores[at] = (found.scores[rank] as number) + lift;
  }
  return { ...top, worded, ordered: count, ranks, before, features, weights, lift };
}

/** The hits from one place to before another. */
export function hitsBetween({ count, parts, rows, scores }: TopRows, from: number, to: number): ScoredHit[] {
  const hits: ScoredHit[] = [];
  for (let at = from; at < Math.min(count, to); at++) {
    const row = rows[at] as number;
    hits.push({ row: parts[at] === 0 ? row : -1 - row, score: scores[at] as number });
  }
  return hits;
}

export interface Place {
  /** The score without the order's points. */
  score: number;
  /** Features that add or take points. */
  features: { feature: Feature; value: number; points: number }[];
  lift: number;
}

/** What put a match at a place of the answer. */
export function explainPlace(order: Ordered, place: number): Place {
  if (place >= order.ordered) return { score: order.scores[place] as number, features: [], lift: 0 };
  const rank = order.ranks[place] as number;
  const from = rank * FEATURE_COUNT;
  const points = FEATURES.map((feature, f) => {
    const value = order.features[from + f] as number;
    return { feature, value, points: value * (order.weights[f] as number) };
  });
  return {
    score: order.before[rank] as number,
    features: points.filter((one) => one.points !== 0),
    lift: order.lift,
  };
}
