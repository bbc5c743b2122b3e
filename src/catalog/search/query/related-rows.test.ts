import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { documentFrom } from '#test/capability-documents.ts';
import { baseOf, viewOf } from '#test/marketplace-view.ts';
import { explain } from '../answer/explain.ts';
import { marketplaceStateOf, withChanges } from '../build/marketplace-feed.ts';
import { capabilityBuilder } from '../index/capability-builder.ts';
import { RANKING } from '../ranking.ts';
import { NO_FILTERS } from './filter.ts';
import { rowOfHit } from './list-view.ts';
import { type SearchRequest, searchCapabilities } from './marketplace-search.ts';
import { capabilityOfHit, type MarketplaceView, marketplaceViewOf, partOfHit } from './marketplace-view.ts';
import { explainPlace, type Ordered } from './order.ts';

const asked = (text: string, more: Partial<SearchRequest> = {}): SearchRequest => ({
  text,
  as_typed: false,
  filters: NO_FILTERS,
  sort: 'relevance',
  limit: 100,
  offset: 0,
  ...more,
});
const namesOf = (view: MarketplaceView, request: SearchRequest): string[] =>
  searchCapabilities(view, request).hits.map(({ row }) => capabilityOfHit(view, row).name);

const RELATED = 'temperature humidity wind';
const OTHERS = [
  documentFrom(1, { name: RELATED, description: RELATED }),
  documentFrom(2, { name: 'kubernetes deploy', description: 'Deploys containers to a kubernetes cluster.' }),
  documentFrom(3, { name: 'sql tuner', description: 'Explains slow queries of a postgres database.' }),
];
const view = viewOf([
  ...OTHERS,
  documentFrom(10, { name: 'storm', description: 'Weather with rain.', listing_type: 'server' }),
]);
const QUERY = 'weather rain storm';

test('a text of several words that few have finds what is about the same things', () => {
  const found = searchCapabilities(view, asked(QUERY));
  assert.deepEqual(namesOf(view, asked(QUERY)), ['storm', RELATED]);
  assert.equal(found.total_count, 2);
  const counted = found.facets.listing_type.reduce((sum, { count }) => sum + count, 0);
  assert.equal(counted, found.with_copies, 'facets count them');
  const servers = asked(QUERY, { filters: { ...NO_FILTERS, listing_type: 'server' } });
  assert.deepEqual(namesOf(view, servers), ['storm'], 'filters apply to them');
  assert.deepEqual(namesOf(view, asked(QUERY, { as_typed: true })), ['storm']);
  assert.deepEqual(namesOf(view, asked(QUERY, { sort: 'name' })), ['storm'], 'in other orders its words alone');
  assert.deepEqual(namesOf(view, asked('zzqq wwxx vvyy')), [], 'nothing is about what nobody knows');
});

test('the explanation has their points, which add up to the score', () => {
  const { hits, plan, order } = searchCapabilities(view, asked(QUERY));
  const isRelated = hits.map(({ row, score }, at) => {
    const place = explainPlace(order as Ordered, at);
    const told = explain(partOfHit(view, row), rowOfHit(row), plan, { score, isId: false, place });
    const words = told.words.reduce((sum, { points }) => sum + points, 0);
    const own = told.related > 0 ? told.related : (words + told.name) * told.quality.factor + told.id;
    const learned = told.order?.features.reduce((sum, { points }) => sum + points, told.order.lift) ?? 0;
    assert.ok(Math.abs(own + learned - score) < 1e-3);
    return told.related > 0;
  });
  assert.deepEqual(isRelated, [false, true]);
});

const WORDS = 'recipe cooking meal grocery weather forecast postgres database query kubernetes deploy video'.split(' ');
const text = (least: number, most: number) =>
  fc.array(fc.constantFrom(...WORDS), { minLength: least, maxLength: most }).map((words) => words.join(' '));
const documents = fc.array(fc.record({ name: text(1, 2), description: text(0, 5) }), { minLength: 6, maxLength: 20 });

test('base and delta find what one index finds, on every page', () => {
  fc.assert(
    fc.property(documents, fc.nat(5), text(3, 5), (fields, in_delta, query) => {
      const all = fields.map((of, number) => documentFrom(number, { ...of, downloads: number * 10 }));
      const start = baseOf(all.slice(0, all.length - in_delta));
      const added = all.slice(all.length - in_delta).map((document) => ({ id: document.wire.id, document }));
      const parts = marketplaceViewOf(marketplaceStateOf(withChanges(start, added), 'x'), null);
      const builder = capabilityBuilder();
      for (const document of all) builder.add(document);
      const state = { base: builder.finish(start.statistics).segment, deleted: null, delta: null, version: '' };
      const whole = marketplaceViewOf({ ...state, is_whole: true }, null);
      const idsIn = (of: MarketplaceView, request: SearchRequest) =>
        searchCapabilities(of, request).hits.map(({ row }) => capabilityOfHit(of, row).id);
      const found = idsIn(parts, asked(query));
      assert.deepEqual(found.toSorted(), idsIn(whole, asked(query)).toSorted());
      const pages = [0, 4, 8, 12, 16, 20].flatMap((offset) => idsIn(parts, asked(query, { limit: 4, offset })));
      assert.deepEqual(pages, found);
      assert.ok(found.length >= idsIn(parts, asked(query, { as_typed: true })).length);
    }),
    { numRuns: 60 },
  );
});

test('a text of two words, or one that many match, finds what has its words alone', () => {
  const storms = Array.from({ length: RANKING.related.few }, (_, at) =>
    documentFrom(100 + at, { name: `storm ${at}`, description: `Storm and rain of weather station ${at}.` }),
  );
  const matching = (documents: typeof OTHERS): string[] => namesOf(viewOf(documents), asked(QUERY));
  assert.ok(!matching([...OTHERS, ...storms]).includes(RELATED));
  assert.ok(matching([...OTHERS, ...storms.slice(1)]).includes(RELATED));
  assert.ok(!namesOf(view, asked('weather storm')).includes(RELATED));
});
