import type { Judged } from './queries.ts';

/** Scores of rankings, as `about` of search-queries.json has them. */

/** Of the first ten results, best first: the listings that each of them is. */
export type Ranked = (query: Judged) => (readonly string[])[];

export interface Quality {
  queries: number;
  ndcg: number;
  mrr: number;
  recall: number;
  /** Share of the first ten that nobody has judged. */
  unjudged: number;
}

const PLACES = 10;
const RELEVANT = 2;

export function qualityOf(ranked: Ranked, queries: readonly Judged[]): Quality {
  const each = queries
    .filter(({ kind }) => kind !== 'none')
    .map((query) => scoreOf(query, ranked(query).slice(0, PLACES)));
  const mean = (of: keyof (typeof each)[number]) => each.reduce((sum, score) => sum + score[of], 0) / each.length;
  return {
    queries: each.length,
    ndcg: mean('ndcg'),
    mrr: mean('mrr'),
    recall: mean('recall'),
    unjudged: mean('unjudged'),
  };
}

/** A result that is several listings has the highest of their grades, and the ideal order has it once. */
function scoreOf({ judgements }: Judged, results: readonly (readonly string[])[]) {
  const grades = new Map(judgements.map(([provider, id, grade]) => [`${provider}/${id}`, grade]));
  const gradeOf = (result: readonly string[]): number | undefined => {
    const known = result.flatMap((grade) => grades.get(grade) ?? []);
    return known.length === 0 ? undefined : Math.max(...known);
  };
  const found = results.map(gradeOf);
  const merged = new Set(results.flatMap((result) => result.slice(1)));
  const ideal = [...grades]
    .filter(([key]) => !merged.has(key))
    .map(([, grade]) => grade)
    .sort((a, b) => b - a);
  const relevant = ideal.filter((grade) => grade >= RELEVANT).length;
  const first = found.findIndex((grade) => (grade ?? 0) >= RELEVANT);
  const hits = found.filter((grade) => (grade ?? 0) >= RELEVANT).length;
  const best = gainOf(ideal.slice(0, PLACES));
  return {
    ndcg: best === 0 ? 0 : gainOf(found) / best,
    mrr: first < 0 ? 0 : 1 / (first + 1),
    recall: relevant === 0 ? 0 : hits / Math.min(PLACES, relevant),
    unjudged: results.length === 0 ? 0 : found.filter((grade) => grade === undefined).length / results.length,
  };
}

/** The discounted gain of the best order of these grades. */
export const idealOf = (grades: readonly number[]): number => gainOf(grades.toSorted((a, b) => b - a).slice(0, PLACES));

const gainOf = (grades: readonly (number | undefined)[]): number =>
  grades.reduce<number>((sum, grade, i) => sum + (2 ** (grade ?? 0) - 1) / Math.log2(i + 2), 0);
