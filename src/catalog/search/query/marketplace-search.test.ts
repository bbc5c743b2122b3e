import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LEVELS } from '#catalog/items/verification.ts';
import { documentFrom } from '#test/capability-documents.ts';
import { baseOf } from '#test/marketplace-view.ts';
import { marketplaceStateOf, withChanges } from '../build/marketplace-feed.ts';
import { hasBit } from '../index/bitset.ts';
import { capabilityBuilder } from '../index/capability-builder.ts';
import { textKeys } from '../index/copies.ts';
import { daysIn } from '../index/days.ts';
import type { CapabilityDocument } from '../index/document.ts';
import { NAME_BIT, nameKey, nameLength, termsByField, weightTerms } from '../index/field-weights.ts';
import { licenseGroup } from '../index/license-group.ts';
import { outlineBuilder } from '../index/outline.ts';
import { RANKING } from '../ranking.ts';
import { categoryOf } from '../text/categories.ts';
import { type Filters, NO_FILTERS, UPDATED, type Updated } from './filter.ts';
import { SEARCH_SORTS } from './list-query.ts';
import { rowOfHit } from './list-view.ts';
import { type SearchRequest, type SearchResult, searchCapabilities } from './marketplace-search.ts';
import { capabilityOfHit, type MarketplaceView, marketplaceViewOf, partOfHit } from './marketplace-view.ts';
import { explainPlace, ORDERED, type Ordered } from './order.ts';
import type { Feature } from './order-features.ts';
import type { QueryPlan } from './query-plan.ts';
import { leastShare, qualityOf } from './score.ts';
import type { TermGroup } from './vocabulary.ts';

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
      availability: fc.constantFrom('runs' as const, 'key' as const, 'untried' as const),
      is_confirmed: fc.boolean(),
      license: fc.constantFrom('MIT', '', 'GPL-3.0-only'),
      updated_at: fc.constantFrom(
        null,
        '2026-05-31T10:00:00.000Z',
        '2026-05-02T00:00:00.000Z',
        '2025-06-01T00:00:00.000Z',
      ),
    })
    .map((fields) => documentFrom(id, fields));

const TODAY = daysIn(Date.parse('2026-06-01T12:00:00.000Z'));
const COUNT = 14;
const cases = fc.record({
  before: fc.tuple(...Array.from({ length: COUNT }, (_, id) => document(id))),
  /** Changed, removed or new. */
  changes: fc.uniqueArray(
    fc.integer({ min: 0, max: COUNT + 4 }).chain((id) => fc.tuple(fc.constant(id), fc.option(document(id)))),
    { selector: ([id]) => id, maxLength: 8 },
  ),
  // Without words, everything matches.
  query: fc.oneof({ weight: 5, arbitrary: text(6) }, { weight: 1, arbitrary: fc.constant('') }),
  filters: fc.record({
    provider: fc.constantFrom(null, null, 'docker'),
    listing_type: fc.constantFrom(null, null, 'skill'),
    tag: fc.constantFrom(null, null, 'git'),
    verified: fc.constantFrom(null, null, true),
    availability: fc.constantFrom(null, null, ['runs', 'untried']),
    confirmed: fc.constantFrom(null, null, null, true),
    level: fc.constantFrom(null, null, 'ran'),
    license: fc.constantFrom(null, null, ['mit', 'none']),
    category: fc.constantFrom(null, null, null, 'git'),
    updated: fc.constantFrom(null, null, '30d' as const, '365d' as const),
  }),
});

test('any query gives the totals, facets, pages and order of a scan over all capabilities', () => {
  fc.assert(
    fc.property(cases, ({ before, changes, query, filters: some }) => {
      const start = baseOf(before);
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
        { base: rebuilder.finish(start.statistics).segment, deleted: null, delta: null, version: '', is_whole: true },
        null,
      );
      const filters = { ...NO_FILTERS, ...some };
      const all = { text: query, as_typed: false, filters, today: TODAY, limit: 200, offset: 0 };
      const byDownloads = idsIn(view, searchCapabilities(view, { ...all, sort: 'downloads' }));
      for (const sort of SEARCH_SORTS) {
        const request = { text: query, as_typed: false, filters, today: TODAY, sort };
        const whole = searchCapabilities(view, { ...request, limit: 200, offset: 0 });
        const found = idsIn(view, whole);
        assert.deepEqual(found, idsIn(rebuilt, searchCapabilities(rebuilt, { ...request, limit: 200, offset: 0 })));
        assert.equal(whole.total_count, found.length);
        const pages = [0, 3, 6, 9, 12, 15, 18].flatMap((offset) =>
          idsIn(view, searchCapabilities(view, { ...request, limit: 3, offset })),
        );
        assert.deepEqual(pages, found);
        if (query === '') assert.equal(whole.order, null);
        if (sort === 'relevance' && query !== '') {
          // What ordered it is only known until the next query.
          const again = searchCapabilities(view, { ...request, limit: 200, offset: 0 });
          checkRanking(view, again, query, current, byDownloads);
        }
        const matched = [...current.values()].filter((document) => query === '' || isMatch(document, whole.plan));
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
  const terms = new Map(weightTerms(termsByField(document.searched)).map((weighted) => [weighted.term, weighted]));
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
    const { row, copies } = whole.hits[at] as SearchResult['hits'][number];
    assert.equal(copies, group.length - 1);
    const opened = searchCapabilities(view, { ...request, copies_of: found[at] ?? '', limit: 200, offset: 0 });
    assert.deepEqual([idsIn(view, opened).toSorted(), opened.total_count], [ids, ids.length]);
    // The points of the learned order depend on what else is listed.
    const scores = opened.hits.map((hit, place) =>
      opened.order === null ? hit.score : explainPlace(opened.order, place).score,
    );
    const best = Math.max(...scores);
    const score = scores[opened.hits.findIndex((hit) => hit.row === row)] as number;
    assert.ok(score >= best * RANKING.front);
    const frontOf = (hit: number): number => partOfHit(view, hit).segment.fronts[rowOfHit(hit)] as number;
    for (const [place, hit] of opened.hits.entries())
      if ((scores[place] as number) >= best * RANKING.front)
        assert.ok(frontOf(hit.row) <= frontOf(row), 'the original is shown');
  }
}

/** The best first, ties by downloads, and each with the score of its text and the points of the learned order. */
function checkRanking(
  view: MarketplaceView,
  { hits, plan, order: learned }: SearchResult,
  query: string,
  current: ReadonlyMap<string, CapabilityDocument>,
  order: string[],
): void {
  assert.deepEqual(
    hits.map(({ score }) => score),
    hits.map(({ score }) => score).toSorted((a, b) => b - a),
  );
  const explained = hits.map((hit, place) => ({
    ...explainPlace(learned as Ordered, place),
    hit,
    place: order.indexOf(capabilityOfHit(view, hit.row).id),
  }));
  const byScore = explained.toSorted((a, b) => b.score - a.score || a.place - b.place);
  explained.forEach(({ hit, score, features, lift }, at) => {
    const document = current.get(capabilityOfHit(view, hit.row).id) as CapabilityDocument;
    const { share, points, named } = judge(document, plan) as Judged;
    const covered = Math.min(1, named / nameLength(document.wire.name));
    const { segment } = partOfHit(view, hit.row);
    const name = hasBit(segment.proven, rowOfHit(hit.row)) ? RANKING.exact_name : RANKING.unproven_name;
    const exact = nameKey(document.wire.name) === nameKey(query) ? name : 0;
    const text = points * share ** RANKING.coverage + (RANKING.name_covered * covered + exact) * share;
    const quality = qualityOf(segment, rowOfHit(hit.row));
    const expected = text * quality;
    assert.ok(
      Math.abs(expected - score) < 1e-5,
      `the score of "${document.wire.name}" for "${query}" is ${score}, and by the formula of checkRanking ${expected}`,
    );
    const sum = features.reduce((all, feature) => all + feature.points, score + lift);
    assert.ok(Math.abs(sum - hit.score) < 1e-9, 'the points add up');
    // Ties keep the order by score.
    const after = explained[at + 1];
    if (after !== undefined && after.hit.score === hit.score)
      assert.ok(byScore.indexOf(explained[at] as never) < byScore.indexOf(after));
    const own = {
      ...featuresOf(document, query, plan),
      outright: exact === RANKING.exact_name ? 1 : 0,
    };
    for (const { feature, value } of features)
      if (own[feature] !== undefined)
        assert.ok(
          Math.abs((own[feature] as number) - value) < 1e-6,
          `${feature} of "${document.wire.name}: ${document.wire.description}" for "${query}" is ${value}, not ${own[feature]}`,
        );
  });
}

/** Features of the learned order by the document's own words, as far as no other document matters. */
function featuresOf(
  { wire, searched }: CapabilityDocument,
  query: string,
  plan: QueryPlan,
): Partial<Record<Feature, number>> {
  const groups = plan.groups.filter(({ idf }) => idf > 0);
  const total = groups.reduce((sum, { idf }) => sum + idf, 0);
  const matches = (word: string, { expansions }: TermGroup, least: number): boolean =>
    expansions.some(({ terms, weight }) => weight >= least && terms.length === 1 && terms[0] === word);
  const has = (words: readonly string[], group: TermGroup, least = 0) =>
    words.some((word) => matches(word, group, least));
  const shareOf = (words: readonly string[], least = 0): number =>
    groups.reduce((sum, group) => sum + (has(words, group, least) ? group.idf : 0), 0) / total;
  const { name, tags, author, ids: ofProvider, description } = termsByField(searched);
  const ids = [...author, ...ofProvider];
  const named = groups.filter((group) => has(name, group)).length;
  return {
    name: shareOf(name),
    ids: shareOf(ids),
    description: shareOf(description),
    itself: shareOf([...name, ...tags, ...ids, ...description], 0.85),
    name_rest: 1 - Math.min(1, named / nameLength(wire.name)),
    type: query.split(' ').includes('mcp') && wire.listing_type === 'server' ? 1 : 0,
  };
}

type Facet = Exclude<keyof Filters, 'built_in' | 'also_listed_by'>;

const VALUES: { [F in Facet]: (document: CapabilityDocument) => readonly unknown[] } = {
  provider: ({ wire }) => wire.sources.map(({ provider }) => provider),
  listing_type: ({ wire }) => [wire.listing_type],
  execution_class: ({ wire }) => [wire.execution_class],
  tag: ({ wire }) => wire.tags,
  verified: ({ wire }) => [wire.verification.verified],
  availability: ({ wire }) => [wire.availability],
  confirmed: ({ wire }) => [wire.publisher !== null],
  level: ({ wire }) => LEVELS.slice(0, LEVELS.indexOf(wire.verification.level) + 1),
  license: ({ wire }) => [licenseGroup(wire.license)],
  category: ({ searched }) => [categoryOf(outlineBuilder().add(termsByField(searched)))].filter((id) => id !== null),
  updated: ({ wire }) => UPDATED.filter((age) => updatedWithin(wire.sources[0]?.updated_at ?? null, age)),
};

const updatedWithin = (at: string | null, age: Updated): boolean =>
  at !== null && TODAY - daysIn(Date.parse(at)) <= Number.parseInt(age, 10);

const FACETS = Object.keys(VALUES) as Facet[];

const passes = (document: CapabilityDocument, filters: Filters, ignored?: Facet): boolean =>
  FACETS.every(
    (facet) =>
      facet === ignored ||
      filters[facet] === null ||
      VALUES[facet](document).some((value) => [filters[facet]].flat().includes(value as string)),
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

test('the first 64 are in one learned order on every page, and the rest follows by score', () => {
  const builder = capabilityBuilder();
  for (let id = 0; id < ORDERED + 60; id++)
    builder.add(
      documentFrom(id, {
        name: `weather-${WORDS[id % WORDS.length]}`,
        description: `${'forecast '.repeat(id % 4)}of the weather in place ${id}`,
        downloads: id % 50,
      }),
    );
  const { segment: base } = builder.finish();
  const view = marketplaceViewOf({ base, deleted: null, delta: null, version: '', is_whole: true }, null);
  const request = { text: 'weather forecast', as_typed: false, filters: NO_FILTERS, sort: 'relevance' as const };
  const whole = searchCapabilities(view, { ...request, limit: 500, offset: 0 });
  assert.equal(whole.hits.length, ORDERED + 60);
  const before = whole.hits.map((_, place) => explainPlace(whole.order as Ordered, place).score);
  const [ordered, rest] = [before.slice(0, ORDERED), before.slice(ORDERED)];
  assert.ok(Math.min(...ordered) >= Math.max(...rest), 'the first by score are the first in the learned order');
  assert.notDeepEqual(
    ordered,
    ordered.toSorted((a, b) => b - a),
    'the order is not that by score',
  );
  assert.deepEqual(
    rest,
    rest.toSorted((a, b) => b - a),
  );
  const scores = whole.hits.map(({ score }) => score);
  assert.deepEqual(
    scores,
    scores.toSorted((a, b) => b - a),
  );
  const pages = [0, 7, 14, 56, 60, 63, 64, 117].map((offset) => ({
    offset,
    ...searchCapabilities(view, { ...request, limit: 7, offset }),
  }));
  for (const { offset, hits } of pages) assert.deepEqual(hits, whole.hits.slice(offset, offset + 7));
});

test('a conversion that a query names comes before the reverse', () => {
  const builder = capabilityBuilder();
  builder.add(documentFrom(1, { name: 'converter', description: 'Converts json to csv files', downloads: 5 }));
  builder.add(documentFrom(2, { name: 'converter', description: 'Converts csv to json files', downloads: 0 }));
  const { segment: base } = builder.finish();
  const view = marketplaceViewOf({ base, deleted: null, delta: null, version: '', is_whole: true }, null);
  const first = (text: string): string => {
    const { hits } = searchCapabilities(view, {
      text,
      as_typed: false,
      filters: NO_FILTERS,
      sort: 'relevance',
      limit: 1,
      offset: 0,
    });
    return capabilityOfHit(view, hits[0]?.row as number).description;
  };
  assert.equal(first('csv into json'), 'Converts csv to json files');
  assert.equal(first('json into csv'), 'Converts json to csv files');
});

test('without words, what is used most comes first, and what has no description later', () => {
  const builder = capabilityBuilder();
  builder.add(documentFrom(1, { name: 'bare', downloads: 900 }));
  builder.add(documentFrom(2, { name: 'little', description: 'Tides of a harbour', downloads: 1 }));
  builder.add(documentFrom(3, { name: 'much', description: 'Weather of a place', downloads: 500 }));
  const { segment: base } = builder.finish();
  const view = marketplaceViewOf({ base, deleted: null, delta: null, version: '', is_whole: true }, null);
  const namesIn = (offset: number, limit: number): string[] =>
    searchCapabilities(view, {
      text: ' ',
      as_typed: false,
      filters: NO_FILTERS,
      sort: 'relevance',
      limit,
      offset,
    }).hits.map(({ row }) => capabilityOfHit(view, row).name);
  assert.deepEqual(namesIn(0, 3), ['much', 'little', 'bare']);
  assert.deepEqual(namesIn(1, 1), ['little']);
  assert.deepEqual(namesIn(3, 5), []);
});
