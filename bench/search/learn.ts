import { writeFileSync } from 'node:fs';
import type { ListingType } from '#catalog/items/kinds.ts';
import { NO_FILTERS } from '#catalog/search/query/filter.ts';
import { searchCapabilities } from '#catalog/search/query/marketplace-search.ts';
import { capabilityOfHit, type MarketplaceView } from '#catalog/search/query/marketplace-view.ts';
import { ORDERED } from '#catalog/search/query/order.ts';
import { FEATURE_COUNT } from '#catalog/search/query/order-features.ts';
import { useWeights } from '#catalog/search/query/order-weights.ts';
import { documentOfItem } from '#test/item-documents.ts';
import { buildView } from './build-view.ts';
import { realItems } from './documents-at.ts';
import { learnVectors } from './learn-vectors.ts';
import { type Lesson, learnWeights, pointsOf, scoreOf, weightsFile } from './learn-weights.ts';
import { gradesByText, idealOf, textOf } from './quality.ts';
import { type Judged, readQueries } from './queries.ts';

/**
 * Learns the vectors of words and the weights of the order from the real listings and the judgements, and writes them to
 * src/catalog/search. `node bench/search/learn.ts [vectors|weights|check]`: both, one of them, or only what the weights are worth, by
 * cross-validation. Untouched queries are not read.
 */
const SEARCH = new URL('../../src/catalog/search/', import.meta.url);
const FOLDS = 6;

const part = process.argv[2] ?? 'all';
const items = realItems();
if (items.length === 0) throw new Error('Set CAPSTAN_TEST_DATA to a folder with listings.jsonl.');
if (part === 'all' || part === 'vectors')
  writeFileSync(new URL('text/term-vectors.txt', SEARCH), `${learnVectors(items).join('\n')}\n`);
if (part !== 'vectors') {
  const lessons = lessonsOf(buildView(items.map(documentOfItem)), readQueries());
  check(lessons);
  if (part !== 'check') {
    const file = { about: ABOUT(), weights: weightsFile(learnWeights(lessons)) };
    writeFileSync(new URL('query/order-weights.json', SEARCH), `${JSON.stringify(file, null, 2)}\n`);
  }
}

function ABOUT(): string {
  return (
    'Points for each feature of order-features.ts, for all queries and in addition for single words and long queries, where the ' +
    'score of the best match is 1. Written by bench/search/learn.ts.'
  );
}

function lessonsOf(view: MarketplaceView, queries: readonly Judged[]): Lesson[] {
  const known = queries.filter(({ set, kind }) => set === 'tuning' && kind !== 'none');
  // Features are of the order by score.
  useWeights({});
  return known.map((query) => {
    const { query: text, listing_type } = query;
    const filters = { ...NO_FILTERS, listing_type: (listing_type as ListingType | undefined) ?? null };
    const { hits, order, plan } = searchCapabilities(view, {
      text,
      as_typed: false,
      filters,
      sort: 'relevance',
      limit: ORDERED,
      offset: 0,
    });
    const grades = gradesByText(query);
    const gradeOf = (row: number): number | null => {
      const [source] = capabilityOfHit(view, row).sources;
      return grades.get(textOf(`${source?.provider}/${source?.external_id}`)) ?? null;
    };
    return {
      id: query.id,
      kind: query.kind,
      groups: plan.groups.filter(({ idf }) => idf > 0).length,
      features: (order as NonNullable<typeof order>).features.slice(0, hits.length * FEATURE_COUNT),
      grades: hits.map(({ row }) => gradeOf(row)),
      ideal: idealOf([...grades.values()]),
    };
  });
}

/** Each fold's queries are ordered by what was learned from the others. */
function check(lessons: readonly Lesson[]): void {
  const byKind = Map.groupBy(lessons, ({ kind }) => kind);
  const foldOf = new Map([...byKind.values()].flatMap((some) => some.map(({ id }, at) => [id, at % FOLDS])));
  const after = new Map<string, number>();
  for (let fold = 0; fold < FOLDS; fold++) {
    const weights = learnWeights(lessons.filter(({ id }) => foldOf.get(id) !== fold));
    for (const lesson of lessons)
      if (foldOf.get(lesson.id) === fold) after.set(lesson.id, scoreOf(lesson, pointsOf(lesson, weights)));
  }
  const learned = learnWeights(lessons);
  const rows: Record<string, Record<string, number>> = {};
  const shown = (some: readonly Lesson[]) => {
    const mean = (of: (lesson: Lesson) => number): number =>
      Math.round((1e3 * some.reduce((sum, lesson) => sum + of(lesson), 0)) / some.length) / 1e3;
    return {
      queries: some.length,
      'by score': mean((lesson) => scoreOf(lesson, null)),
      'cross-validated': mean(({ id }) => after.get(id) as number),
      'on what was learned': mean((lesson) => scoreOf(lesson, pointsOf(lesson, learned))),
    };
  };
  rows.all = shown(lessons);
  for (const [kind, some] of byKind) rows[kind] = shown(some);
  console.table(rows);
}
