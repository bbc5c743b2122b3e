import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { documentFrom } from '#test/capability-documents.ts';
import { indexStateOf, withChanges } from '../build/marketplace-feed.ts';
import { capabilityBuilder } from '../index/capability-builder.ts';
import type { CapabilityDocument } from '../index/document.ts';
import { NAME_BIT, nameKey, nameLength, weigh } from '../index/field-weights.ts';
import { RANKING } from '../ranking.ts';
import { type Filters, NO_FILTERS } from './filters.ts';
import { SEARCH_SORTS } from './list-query.ts';
import { type FoundSearch, findCapabilities } from './marketplace-search.ts';
import { type IndexView, indexViewOf, placeIn, wireOfHit } from './marketplace-view.ts';
import type { Plan } from './query-plan.ts';
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
const text = (most: number) => fc.array(word, { minLength: 1, maxLength: most }).map((parts) => parts.join(' '));

const document = (id: number): fc.Arbitrary<CapabilityDocument> =>
  fc
    .record({
      name: text(3),
      description: text(6),
      author: fc.constantFrom('ana', 'bob'),
      listing_type: fc.constantFrom('skill' as const, 'server' as const),
      tags: fc.uniqueArray(word, { maxLength: 2 }),
      downloads: fc.constantFrom(0, 5, 900),
      providers: fc.uniqueArray(fc.constantFrom('docker', 'smithery', 'glama'), { minLength: 1, maxLength: 2 }),
      level: fc.constantFrom('listed' as const, 'ran' as const, 'used' as const),
    })
    .map((told) => documentFrom(id, told));

const COUNT = 14;
const stands = fc.record({
  before: fc.tuple(...Array.from({ length: COUNT }, (_, id) => document(id))),
  /** Changed, taken away or new. */
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

test('any query over any capabilities and changes: totals, facets, pages and order are those of going through all', () => {
  fc.assert(
    fc.property(stands, ({ before, changes, query, filters: some }) => {
      const builder = capabilityBuilder();
      for (const document of before) builder.add(document);
      const { segment: base, common, ids } = builder.finish();
      const rows = new Map(ids.map((id, row) => [id, row]));
      const start = {
        seq: 1,
        published: 0,
        base,
        common,
        rows,
        changed: new Map(),
        dead: null,
        work: 0,
        is_whole: true,
      };
      const after = withChanges(
        start,
        changes.map(([id, change]) => ({ id: documentFrom(id).wire.id, document: change })),
      );
      const view = indexViewOf(indexStateOf(after, 'x'), indexViewOf(indexStateOf(start, 'x'), null));
      const left = new Map(before.map((document) => [document.wire.id, document]));
      for (const [id, change] of changes) {
        if (change === null) left.delete(documentFrom(id).wire.id);
        else left.set(change.wire.id, change);
      }
      const rebuilder = capabilityBuilder();
      for (const document of left.values()) rebuilder.add(document);
      const rebuilt = indexViewOf(
        { base: rebuilder.finish(common).segment, dead: null, delta: null, version: '', is_whole: true },
        null,
      );
      const filters = { ...NO_FILTERS, ...some };
      const all = { text: query, filters, limit: 200, offset: 0 };
      const byDownloads = idsIn(view, findCapabilities(view, { ...all, sort: 'downloads' }));
      for (const sort of SEARCH_SORTS) {
        const asked = { text: query, filters, sort };
        const whole = findCapabilities(view, { ...asked, limit: 200, offset: 0 });
        const shown = idsIn(view, whole);
        assert.deepEqual(shown, idsIn(rebuilt, findCapabilities(rebuilt, { ...asked, limit: 200, offset: 0 })));
        assert.equal(whole.total_count, shown.length);
        const pages = [0, 3, 6, 9, 12, 15, 18].flatMap((offset) =>
          idsIn(view, findCapabilities(view, { ...asked, limit: 3, offset })),
        );
        assert.deepEqual(pages, shown);
        if (sort === 'relevance') checkRanking(view, whole, query, left, byDownloads);
        const matched = [...left.values()].filter((document) => isMatch(document, whole.plan));
        assert.deepEqual(shown.toSorted(), idsOf(matched.filter((document) => passes(document, filters))));
        checkFacets(whole, matched, filters);
      }
    }),
    { numRuns: 60 },
  );
});

const idsIn = (view: IndexView, { hits }: FoundSearch): string[] => hits.map(({ row }) => wireOfHit(view, row).id);

const idsOf = (documents: readonly CapabilityDocument[]): string[] => documents.map(({ wire }) => wire.id).sort();

interface Judged {
  /** Of the query's weight. */
  share: number;
  points: number;
  /** How many of the query's words the name has. */
  named: number;
}

/** By the terms of the text itself: no index, and no word passed over. Null where it has none of them. */
function judge(document: CapabilityDocument, { groups, pairs }: Plan): Judged | null {
  const terms = new Map(weigh(document.searched).map((weighed) => [weighed.term, weighed]));
  const total = groups.reduce((sum, { rarity }) => sum + rarity, 0);
  const had = groups.map(({ stands, rarity }) => {
    const found = stands.flatMap((stand) => {
      const all = stand.terms.map((term) => terms.get(term));
      return all.every((one) => one !== undefined) ? { ...stand, all } : [];
    });
    return {
      covered: rarity * (found[0]?.weight ?? 0),
      worth: Math.max(0, ...found.map(({ all, weight }) => rarity * weight * Math.min(...all.map((one) => one.value)))),
      in_name: found.some(({ all, weight }) => weight >= 0.65 && all.every((one) => one.fields & NAME_BIT)),
      none: found.length === 0,
    };
  });
  if (had.every(({ none }) => none)) return null;
  const joined = pairs.map(({ term, rarity }) => RANKING.pair * rarity * (terms.get(term)?.value ?? 0));
  return {
    // Summed up as the index does, which decides in single precision.
    share: had.reduce((sum, { covered }) => Math.fround(sum + covered), 0) / total,
    points: [...had.map(({ worth }) => worth), ...joined].reduce((sum, worth) => sum + worth, 0) / 255 / total,
    named: had.filter(({ in_name }) => in_name).length,
  };
}

const isMatch = (document: CapabilityDocument, plan: Plan): boolean =>
  (judge(document, plan)?.share ?? -1) >= leastShare(plan.groups.filter(({ rarity }) => rarity > 0).length);

/** The best first, equal ones by downloads; each with the score that it has by its own text. */
function checkRanking(
  view: IndexView,
  { hits, plan }: FoundSearch,
  query: string,
  left: Documents,
  order: string[],
): void {
  const places = hits.map(({ row, score }) => ({ score, place: order.indexOf(wireOfHit(view, row).id) }));
  assert.deepEqual(
    places,
    places.toSorted((a, b) => b.score - a.score || a.place - b.place),
  );
  for (const hit of hits) {
    const document = left.get(wireOfHit(view, hit.row).id) as CapabilityDocument;
    const { share, points, named } = judge(document, plan) as Judged;
    const { part, row } = placeIn(view, hit.row);
    const covered = Math.min(1, named / nameLength(document.wire.name));
    const exact = nameKey(document.wire.name) === nameKey(query) ? RANKING.exact_name : 0;
    const score = points * share ** RANKING.coverage + (RANKING.name_covered * covered + exact) * share;
    assert.ok(Math.abs(score * qualityOf(part.segment, row) - hit.score) < 1e-5, `${document.wire.name}: ${query}`);
  }
}

type Documents = ReadonlyMap<string, CapabilityDocument>;

const VALUES: { [F in keyof Filters]: (document: CapabilityDocument) => readonly unknown[] } = {
  provider: ({ wire }) => wire.sources.map(({ provider }) => provider),
  listing_type: ({ wire }) => [wire.listing_type],
  execution_class: ({ wire }) => [wire.execution_class],
  tag: ({ wire }) => wire.tags,
  verified: ({ wire }) => [wire.verification.verified],
};
const FACETS = Object.keys(VALUES) as (keyof Filters)[];

const passes = (document: CapabilityDocument, filters: Filters, leftOut?: keyof Filters): boolean =>
  FACETS.every(
    (facet) => facet === leftOut || filters[facet] === null || VALUES[facet](document).includes(filters[facet]),
  );

function checkFacets({ facets }: FoundSearch, matched: readonly CapabilityDocument[], filters: Filters): void {
  for (const facet of FACETS) {
    const counts = new Map<unknown, number>();
    for (const document of matched)
      if (passes(document, filters, facet))
        for (const value of VALUES[facet](document)) counts.set(value, (counts.get(value) ?? 0) + 1);
    assert.deepEqual(new Map<unknown, number>(facets[facet].map(({ value, count }) => [value, count])), counts, facet);
  }
}
