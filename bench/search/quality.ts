import type { Judged } from './queries.ts';
import { textsOfListings } from './texts.ts';

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

/** Grades by text: copies of one text are one result, with the best of their grades. */
export function gradesByText({ judgements }: Judged): Map<string, number> {
  const grades = new Map<string, number>();
  for (const [provider, id, grade] of judgements) {
    const text = textOf(`${provider}/${id}`);
    grades.set(text, Math.max(grade, grades.get(text) ?? 0));
  }
  return grades;
}

/** What tells the texts of listings apart. */
export const textOf = (key: string): string => `${textsOfListings().get(key) ?? key}`;

/** A result that is several texts has the best of their grades, and the ideal order has it once. A text that comes again is worth nothing. */
function scoreOf(query: Judged, results: readonly (readonly string[])[]) {
  const grades = gradesByText(query);
  const seen = new Set<string>();
  const merged = new Set<string>();
  const found = results.map((result): number | undefined => {
    const texts = [...new Set(result.map(textOf))];
    for (const text of texts.slice(1)) merged.add(text);
    const isRepeated = texts.every((text) => seen.has(text));
    for (const text of texts) seen.add(text);
    if (isRepeated) return 0;
    const known = texts.flatMap((text) => grades.get(text) ?? []);
    return known.length === 0 ? undefined : Math.max(...known);
  });
  const ideal = [...grades]
    .filter(([text]) => !merged.has(text))
    .map(([, grade]) => grade)
    .sort((a, b) => b - a);
  const relevant = ideal.filter((grade) => grade >= RELEVANT).length;
  const first = found.findIndex((grade) => (grade ?? 0) >= RELEVANT);
  const hits = found.filter((grade) => (grade ?? 0) >= RELEVANT).length;
  const best = idealOf(ideal);
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
