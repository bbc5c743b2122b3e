import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { documentFrom } from '#test/capability-documents.ts';
import { marketplaceStateOf, withChanges } from '../build/marketplace-feed.ts';
import { hasBit } from '../index/bitset.ts';
import { capabilityBuilder } from '../index/capability-builder.ts';
import { textKeys } from '../index/copies.ts';
import type { CapabilityDocument } from '../index/document.ts';
import { NAME_BIT, nameKey, nameLength, weightTerms } from '../index/field-weights.ts';
import { RANKING } from '../ranking.ts';
import { type Filters, NO_FILTERS } from './filter.ts';
import { SEARCH_SORTS } from './list-query.ts';
import { rowOfHit } from './list-view.ts';
import { type SearchRequest, type SearchResult, searchCapabilities } from './marketplace-search.ts';
import { capabilityOfHit, type MarketplaceView, marketplaceViewOf, partOfHit } from './marketplace-view.ts';
import type { QueryPlan } from './query-plan.ts';
import { leastShare, qualityOf } from './score.ts';

const WORDS = [
  'git',
  'github',
  'postgres',
  'postgresql',
  'weather',
  'forecast',
  'pdf',
  'convert',
  'converter',
  '天气',
  'mcp',
];
const word = fc.constantFrom(...WORDS);
const COPIED = ['git github', 'weather pdf'].map((words) => `${words} with words enough to be recognized as a copy`);
const text = (most: number) => fc.array(word, { minLength: 1, maxLength: most }).map((parts) => parts.join(' '));

const document = (id: number): fc.Arbitrary<CapabilityDocument> =>
  fc
    .record({
      name: text(3),
      // Copies of texts that are long enough to be recognized are frequent.
      description: fc.oneof(text(6), fc.constantFrom(...COPIED)),
      author: fc.constantFrom('ana', 'bob'),
      listing_type: fc.constantFrom('skill' as const, 'server' as const),
      tags: fc.uniqueArray(word, { maxLength: 2 }),
      downloads: fc.constantFrom(0, 5, 900),
      providers: fc.uniqueArray(fc.constantFrom('docker', 'smithery', 'glama'), { minLength: 1, maxLength: 2 }),
      level: fc.constantFrom('listed' as const, 'ran' as const, 'used' as const),
    })
    .map((fields) => documentFrom(id, fields));

const COUNT = 14;
const cases = fc.record({
  before: fc.tuple(...Array.from({ length: COUNT }, (_, id) => document(id))),
  /** Changed, removed or new. */
  changes: fc.uniqueArray(
    fc.integer({ min: 0, max: COUNT + 4 }).chain((id) => fc.tuple(fc.constant(id), fc.option(document(id)))),
    { selector: ([id]) => id, maxLength: 8 },
  ),
  query: text(6),
  filters: fc.record({
    provider: fc.constantFrom(null, null, 'docker'),
    listing_type: fc.constantFrom(null, null, 'skill'),
    tag: fc.constantFrom(null, null, 'git'),
    verified: fc.constantFrom(null, null, true),
  }),
});

test('any query gives the totals, facets, pages and order of a scan over all capabilities', () => {
  fc.assert(
    fc.property(cases, ({ before, changes, query, filters: some }) => {
      const builder = capabilityBuilder();
      for (const document of before) builder.add(document);
      const { segment: base, statistics, texts, ids } = builder.finish();
      const rows = new Map(ids.map((id, row) => [id, row]));
      const start = {
        seq: 1,
        published: 0,
        base,
        statistics,
        texts,
        rows,
        changed: new Map(),
        deleted: null,
        work: 0,
        is_whole: true,
      };
      const after = withChanges(
        start,
        changes.map(([id, change]) => ({ id: documentFrom(id).wire.id, document: change })),
      );
      const first = marketplaceViewOf(marketplaceStateOf(start, 'x'), null);
      const view = marketplaceViewOf(marketplaceStateOf(after, 'x'), first);
      const current = new Map(before.map((document) => [document.wire.id, document]));
      for (const [id, document] of changes) {
        if (document === null) current.delete(documentFrom(id).wire.id);
        else current.set(document.wire.id, document);
      }
      const rebuilder = capabilityBuilder();
      for (const document of current.values()) rebuilder.add(document);
      const rebuilt = marketplaceViewOf(
        { base: rebuilder.finish(statistics).segment, deleted: null, delta: null, version: '', is_whole: true },
        null,
      );
      const filters = { ...NO_FILTERS, ...some };
      const all = { text: query, as_typed: false, filters, limit: 200, offset: 0 };
      const byDownloads = idsIn(view, searchCapabilities(view, { ...all, sort: 'downloads' }));
      for (const sort of SEARCH_SORTS) {
        const request = { text: query, as_typed: false, filters, sort };
        const whole = searchCapabilities(view, { ...request, limit: 200, offset: 0 });
        const found = idsIn(view, whole);
        assert.deepEqual(found, idsIn(rebuilt, searchCapabilities(rebuilt, { ...request, limit: 200, offset: 0 })));
        assert.equal(whole.total_count, found.length);
        const pages = [0, 3, 6, 9, 12, 15, 18].flatMap((offset) =>
          idsIn(view, searchCapabilities(view, { ...request, limit: 3, offset })),
        );
        assert.deepEqual(pages, found);
        if (sort === 'relevance') checkRanking(view, whole, query, current, byDownloads);
        const matched = [...current.values()].filter((document) => isMatch(document, whole.plan));
        const listed = matched.filter((document) => passes(document, filters));
        assert.equal(whole.with_copies, listed.length);
        checkCopies(view, whole, listed, request);
        checkFacets(whole, matched, filters);
      }
    }),
    { numRuns: 60 },
  );
});

const idsIn = (view: MarketplaceView, { hits }: SearchResult): string[] =>
  hits.map(({ row }) => capabilityOfHit(view, row).id);

const idsOf = (documents: readonly CapabilityDocument[]): string[] => documents.map(({ wire }) => wire.id).sort();

interface Judged {
  /** Of the query's weight. */
  share: number;
  points: number;
  /** How many of the query's terms the name has. */
  named: number;
}

/** By the terms of the document itself: without an index, and without skipping rows. Null if it has none of the terms. */
function judge(document: CapabilityDocument, { groups, pairs }: QueryPlan): Judged | null {
  const terms = new Map(weightTerms(document.searched).map((weighted) => [weighted.term, weighted]));
  const total = groups.reduce((sum, { idf }) => sum + idf, 0);
  const had = groups.map(({ expansions, idf }) => {
    const found = expansions.flatMap((expansion) => {
      const all = expansion.terms.map((term) => terms.get(term));
      return all.every((one) => one !== undefined) ? { ...expansion, all } : [];
    });
    return {
      covered: idf * (found[0]?.weight ?? 0),
      points: Math.max(0, ...found.map(({ all, weight }) => idf * weight * Math.min(...all.map(({ value }) => value)))),
      in_name: found.some(({ all, weight }) => weight >= 0.65 && all.every(({ fields }) => fields & NAME_BIT)),
      none: found.length === 0,
    };
  });
  if (had.every(({ none }) => none)) return null;
  const joined = pairs.map(({ term, idf }) => RANKING.pair * idf * (terms.get(term)?.value ?? 0));
  return {
    // The index sums in single precision, which can decide about a match.
    share: had.reduce((sum, { covered }) => Math.fround(sum + covered), 0) / total,
    points: [...had.map(({ points }) => points), ...joined].reduce((sum, points) => sum + points, 0) / 255 / total,
    named: had.filter(({ in_name }) => in_name).length,
  };
}

const isMatch = (document: CapabilityDocument, plan: QueryPlan): boolean =>
  (judge(document, plan)?.share ?? -1) >= leastShare(plan.groups.filter(({ idf }) => idf > 0).length);

/** One result for each text, the original of those that match about as well; and all of them where its copies are asked for. */
function checkCopies(
  view: MarketplaceView,
  whole: SearchResult,
  listed: readonly CapabilityDocument[],
  request: Omit<SearchRequest, 'limit' | 'offset'>,
): void {
  const groups = [...Map.groupBy(listed, (document) => textKeys(document)[0] ?? document.wire.id).values()];
  const found = idsIn(view, whole);
  assert.equal(found.length, groups.length);
  for (const group of groups) {
    const ids = idsOf(group);
    const [at, ...others] = found.flatMap((id, i) => (ids.includes(id) ? i : []));
    assert.ok(at !== undefined && others.length === 0, 'one result for each text');
    const { row, score, copies } = whole.hits[at] as SearchResult['hits'][number];
    assert.equal(copies, group.length - 1);
    const opened = searchCapabilities(view, { ...request, copies_of: found[at] ?? '', limit: 200, offset: 0 });
    assert.deepEqual([idsIn(view, opened).toSorted(), opened.total_count], [ids, ids.length]);
    const best = Math.max(...opened.hits.map((hit) => hit.score));
    assert.ok(score >= best * RANKING.front);
    const frontOf = (hit: number): number => partOfHit(view, hit).segment.fronts[rowOfHit(hit)] as number;
    for (const hit of opened.hits)
      if (hit.score >= best * RANKING.front) assert.ok(frontOf(hit.row) <= frontOf(row), 'the original stands for all');
  }
}

/** The best first, ties by downloads, and each with the score of its text. */
function checkRanking(
  view: MarketplaceView,
  { hits, plan }: SearchResult,
  query: string,
  current: ReadonlyMap<string, CapabilityDocument>,
  order: string[],
): void {
  const places = hits.map(({ row, score }) => ({ score, place: order.indexOf(capabilityOfHit(view, row).id) }));
  assert.deepEqual(
    places,
    places.toSorted((a, b) => b.score - a.score || a.place - b.place),
  );
  for (const hit of hits) {
    const document = current.get(capabilityOfHit(view, hit.row).id) as CapabilityDocument;
    const { share, points, named } = judge(document, plan) as Judged;
    const covered = Math.min(1, named / nameLength(document.wire.name));
    const { segment } = partOfHit(view, hit.row);
    const name = hasBit(segment.proven, rowOfHit(hit.row)) ? RANKING.exact_name : RANKING.unproven_name;
    const exact = nameKey(document.wire.name) === nameKey(query) ? name : 0;
    const score = points * share ** RANKING.coverage + (RANKING.name_covered * covered + exact) * share;
    const quality = qualityOf(segment, rowOfHit(hit.row));
    const expected = score * quality;
    assert.ok(
      Math.abs(expected - hit.score) < 1e-5,
      `the score of "${document.wire.name}" for "${query}" is ${hit.score}, and by the formula of checkRanking ${expected}`,
    );
  }
}

type Facet = Exclude<keyof Filters, 'built_in' | 'also_listed_by'>;

const VALUES: { [F in Facet]: (document: CapabilityDocument) => readonly unknown[] } = {
  provider: ({ wire }) => wire.sources.map(({ provider }) => provider),
  listing_type: ({ wire }) => [wire.listing_type],
  execution_class: ({ wire }) => [wire.execution_class],
  tag: ({ wire }) => wire.tags,
  verified: ({ wire }) => [wire.verification.verified],
};
const FACETS = Object.keys(VALUES) as Facet[];

const passes = (document: CapabilityDocument, filters: Filters, ignored?: Facet): boolean =>
  FACETS.every(
    (facet) => facet === ignored || filters[facet] === null || VALUES[facet](document).includes(filters[facet]),
  );

function checkFacets({ facets }: SearchResult, matched: readonly CapabilityDocument[], filters: Filters): void {
  for (const facet of FACETS) {
    const counts = new Map<unknown, number>();
    for (const document of matched)
      if (passes(document, filters, facet))
        for (const value of VALUES[facet](document)) counts.set(value, (counts.get(value) ?? 0) + 1);
    assert.deepEqual(new Map<unknown, number>(facets[facet].map(({ value, count }) => [value, count])), counts, facet);
  }
}
