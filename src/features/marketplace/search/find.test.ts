import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { documentFrom } from '../../../../test/capability-documents.ts';
import { capabilityBuilder } from './build.ts';
import type { CapabilityDocument } from './document.ts';
import { type Filters, NO_FILTERS } from './filters.ts';
import { type FoundSearch, findCapabilities } from './find.ts';
import { indexStateOf, withChanges } from './live.ts';
import type { Plan } from './plan.ts';
import { SEARCH_SORTS } from './query.ts';
import { leastShare } from './score.ts';
import { weigh } from './texts.ts';
import { type IndexView, indexViewOf } from './view.ts';
import { wireAt } from './wire-at.ts';

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
const text = (most: number) => fc.array(word, { minLength: 1, maxLength: most }).map((it) => it.join(' '));

const document = (id: number): fc.Arbitrary<CapabilityDocument> =>
  fc
    .record({
      ...{ name: text(3), description: text(6), author: fc.constantFrom('ana', 'bob') },
      listing_type: fc.constantFrom('skill' as const, 'server' as const),
      ...{ tags: fc.uniqueArray(word, { maxLength: 2 }), downloads: fc.constantFrom(0, 5, 900) },
      providers: fc.uniqueArray(fc.constantFrom('docker', 'smithery', 'glama'), { minLength: 1, maxLength: 2 }),
      level: fc.constantFrom('listed' as const, 'ran' as const),
    })
    .map((it) => documentFrom(id, it));

const COUNT = 14;
const stands = fc.record({
  before: fc.tuple(...Array.from({ length: COUNT }, (_, id) => document(id))),
  /** Changed, taken away or new. */
  changes: fc.uniqueArray(
    fc.integer({ min: 0, max: COUNT + 4 }).chain((id) => fc.tuple(fc.constant(id), fc.option(document(id)))),
    { selector: ([id]) => id, maxLength: 8 },
  ),
  query: text(3),
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
      for (const it of before) builder.add(it);
      const { segment: base, common, ids } = builder.finish();
      const rows = new Map(ids.map((id, row) => [id, row]));
      const start = { seq: 1, published: 0, base, common, rows, changed: new Map(), dead: null, work: 0 };
      const after = withChanges(
        start,
        changes.map(([id, it]) => ({ id: documentFrom(id).wire.id, document: it })),
      );
      const view = indexViewOf(indexStateOf(after, 'x'), indexViewOf(indexStateOf(start, 'x'), null));
      const left = new Map(before.map((it) => [it.wire.id, it]));
      for (const [id, it] of changes) {
        if (it === null) left.delete(documentFrom(id).wire.id);
        else left.set(it.wire.id, it);
      }
      const rebuilder = capabilityBuilder();
      for (const it of left.values()) rebuilder.add(it);
      const rebuilt = indexViewOf(
        { base: rebuilder.finish(common).segment, dead: null, delta: null, version: '' },
        null,
      );
      const filters = { ...NO_FILTERS, ...some };
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
        const matched = [...left.values()].filter((it) => isMatch(it, whole.plan));
        assert.deepEqual(shown.toSorted(), idsOf(matched.filter((it) => passes(it, filters))));
        checkFacets(whole, matched, filters);
      }
    }),
    { numRuns: 60 },
  );
});

const idsIn = (view: IndexView, { hits }: FoundSearch): string[] =>
  hits.map(({ row }) =>
    row >= 0
      ? wireAt(view.base.segment.list, row).id
      : wireAt((view.delta as NonNullable<IndexView['delta']>).segment.list, -1 - row).id,
  );

const idsOf = (documents: readonly CapabilityDocument[]): string[] => documents.map(({ wire }) => wire.id).sort();

/** By the terms of the text itself, without an index. */
function isMatch(it: CapabilityDocument, { groups }: Plan): boolean {
  const terms = new Set(weigh(it.searched).map(({ term }) => term));
  const total = groups.reduce((sum, { rarity }) => sum + rarity, 0);
  const had = groups.map(({ stands: all, rarity }) => {
    const first = all.find((stand) => stand.terms.every((term) => terms.has(term)));
    return first === undefined ? null : Math.fround(rarity * first.weight);
  });
  if (total === 0 || had.every((share) => share === null)) return false;
  const covered = had.reduce<number>((sum, share) => Math.fround(sum + (share ?? 0)), 0);
  return covered / total >= leastShare(groups.filter(({ rarity }) => rarity > 0).length);
}

const VALUES: { [F in keyof Filters]: (it: CapabilityDocument) => readonly unknown[] } = {
  provider: ({ wire }) => wire.sources.map(({ provider }) => provider),
  listing_type: ({ wire }) => [wire.listing_type],
  execution_class: ({ wire }) => [wire.execution_class],
  tag: ({ wire }) => wire.tags,
  verified: ({ wire }) => [wire.verification.level === 'ran'],
};
const FACETS = Object.keys(VALUES) as (keyof Filters)[];

const passes = (it: CapabilityDocument, filters: Filters, leftOut?: keyof Filters): boolean =>
  FACETS.every((facet) => facet === leftOut || filters[facet] === null || VALUES[facet](it).includes(filters[facet]));

function checkFacets({ facets }: FoundSearch, matched: readonly CapabilityDocument[], filters: Filters): void {
  for (const facet of FACETS) {
    const counts = new Map<unknown, number>();
    for (const it of matched)
      if (passes(it, filters, facet))
        for (const value of VALUES[facet](it)) counts.set(value, (counts.get(value) ?? 0) + 1);
    assert.deepEqual(new Map<unknown, number>(facets[facet].map(({ value, count }) => [value, count])), counts, facet);
  }
}
