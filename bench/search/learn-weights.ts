import { FEATURE_COUNT, FEATURES, type Feature } from '#catalog/search/query/order-features.ts';
import { LONG_QUERY, type OrderWeights } from '#catalog/search/query/order-weights.ts';

/**
 * Learns the weights of the order: for each pair of matches of a query with different grades, the better should have more points, the more
 * so the more their exchange would change NDCG@10 (LambdaRank with a linear model).
 */

/** A query's best matches by score. */
export interface Lesson {
  id: string;
  kind: string;
  /** Groups of terms. */
  groups: number;
  /** FEATURE_COUNT a match. */
  features: Float64Array;
  /** Of each match; null if nobody judged it. */
  grades: (number | null)[];
  /** The discounted gain of the ideal order. */
  ideal: number;
}

interface Training {
  rounds: number;
  rate: number;
  /** Pulls weights towards 0, and those of one kind of queries more. */
  decay: number;
  own_decay: number;
}

const TRAINING: Training = { rounds: 150, rate: 0.05, decay: 0.1, own_decay: 0.3 };

/** Not learned: few queries name a direction, too few to learn from, and what follows is added afterwards. */
const GIVEN: Partial<Record<Feature, number>> = { direction: 0.2, outright: 0 };

/**
 * In points of the score. A reader who types an exact name that is costly to fake wants that one, even without a description; what is
 * learned of the other features must not depend on it.
 */
const ADDED: Partial<Record<Feature, number>> = { outright: 0.5 };

const PLACES = 10;
const SETS = 3;
/** How many points make a sure difference. */
const SHARPNESS = 6;

const gain = (grade: number | null): number => 2 ** (grade ?? 0) - 1;
const discount = (place: number): number => (place < PLACES ? 1 / Math.log2(place + 2) : 0);

const setOf = ({ groups }: Lesson): number => (groups <= 1 ? 1 : groups >= LONG_QUERY ? 2 : 0);

/** Weights of all queries, of single words and of long queries: FEATURE_COUNT each. */
export function learnWeights(lessons: readonly Lesson[], training: Training = TRAINING): Float64Array {
  const { rounds, rate, decay, own_decay } = training;
  const weights = new Float64Array(SETS * FEATURE_COUNT);
  weights[FEATURES.indexOf('score')] = 1;
  for (const [feature, weight] of Object.entries(GIVEN)) weights[FEATURES.indexOf(feature as Feature)] = weight;
  const learned = FEATURES.map((feature) => !(feature in GIVEN));
  const [mean, square] = [new Float64Array(weights.length), new Float64Array(weights.length)];
  for (let round = 1; round <= rounds; round++) {
    const slope = new Float64Array(weights.length);
    for (const lesson of lessons) addSlope(lesson, weights, slope);
    for (let w = 0; w < weights.length; w++) {
      if (learned[w % FEATURE_COUNT] !== true) continue;
      const pull = (w < FEATURE_COUNT ? decay : own_decay) * (weights[w] as number);
      const step = (slope[w] as number) / lessons.length - pull;
      // Adam's steps.
      mean[w] = 0.9 * (mean[w] as number) + 0.1 * step;
      square[w] = 0.99 * (square[w] as number) + 0.01 * step * step;
      const size =
        (mean[w] as number) / (1 - 0.9 ** round) / (Math.sqrt((square[w] as number) / (1 - 0.99 ** round)) + 1e-8);
      weights[w] = (weights[w] as number) + rate * (1 - round / (rounds + 1)) * size;
    }
  }
  return weights;
}

export function pointsOf(lesson: Lesson, weights: Float64Array): Float64Array {
  const more = setOf(lesson) * FEATURE_COUNT;
  return Float64Array.from(lesson.grades, (_, at) => {
    let sum = 0;
    for (let f = 0; f < FEATURE_COUNT; f++) {
      const weight = (weights[f] as number) + (more === 0 ? 0 : (weights[more + f] as number));
      sum += weight * (lesson.features[at * FEATURE_COUNT + f] as number);
    }
    return sum;
  });
}

const orderBy = (points: Float64Array): number[] =>
  Array.from(points.keys()).sort((a, b) => (points[b] as number) - (points[a] as number) || a - b);

/** Adds how much each match should have more. */
function addForces({ grades, ideal }: Lesson, points: Float64Array, force: Float64Array): void {
  if (ideal === 0) return;
  const placeOf = new Int32Array(points.length);
  orderBy(points).forEach((at, place) => {
    placeOf[at] = place;
  });
  const gains = Float64Array.from(grades, gain);
  for (let a = 0; a < grades.length; a++) {
    if (gains[a] === 0) continue;
    for (let b = 0; b < grades.length; b++) {
      const difference = (gains[a] as number) - (gains[b] as number);
      if (difference <= 0) continue;
      const moved = Math.abs(discount(placeOf[a] as number) - discount(placeOf[b] as number));
      if (moved === 0) continue;
      const sure = 1 / (1 + Math.exp(SHARPNESS * ((points[a] as number) - (points[b] as number))));
      const push = (SHARPNESS * sure * difference * moved) / ideal;
      force[a] = (force[a] as number) + push;
      force[b] = (force[b] as number) - push;
    }
  }
}

function addSlope(lesson: Lesson, weights: Float64Array, slope: Float64Array): void {
  const { features } = lesson;
  const points = pointsOf(lesson, weights);
  const force = new Float64Array(points.length);
  addForces(lesson, points, force);
  const more = setOf(lesson) * FEATURE_COUNT;
  for (let at = 0; at < points.length; at++) {
    const push = force[at] as number;
    if (push === 0) continue;
    for (let f = 0; f < FEATURE_COUNT; f++) {
      const part = push * (features[at * FEATURE_COUNT + f] as number);
      slope[f] = (slope[f] as number) + part;
      if (more > 0) slope[more + f] = (slope[more + f] as number) + part;
    }
  }
}

/** NDCG@10 of the order by points, or by score without them. */
export function scoreOf(lesson: Lesson, points: Float64Array | null): number {
  if (lesson.ideal === 0) return 0;
  const order = points === null ? lesson.grades.map((_, at) => at) : orderBy(points);
  const gained = order
    .slice(0, PLACES)
    .reduce((sum, at, place) => sum + gain(lesson.grades[at] as number | null) * discount(place), 0);
  return gained / lesson.ideal;
}

/** In points of the score, whose own weight is 1. */
export function weightsFile(weights: Float64Array): OrderWeights['weights'] {
  const score = weights[FEATURES.indexOf('score')] as number;
  const rounded = (at: number): number => Math.round((1e4 * (weights[at] as number)) / score) / 1e4;
  return Object.fromEntries(
    FEATURES.map((feature, f) => {
      // The score itself is counted already.
      const always = feature === 'score' ? 0 : (ADDED[feature] ?? rounded(f));
      return [feature, { always, one_word: rounded(FEATURE_COUNT + f), long: rounded(2 * FEATURE_COUNT + f) }];
    }),
  );
}
