import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { documentFrom } from '#test/capability-documents.ts';
import { viewOf } from '#test/marketplace-view.ts';
import { RANKING } from '../ranking.ts';
import type { Aid } from './aid.ts';
import { NO_FILTERS } from './filter.ts';
import type { AidedHit } from './fuse.ts';
import { type SearchRequest, searchCapabilities } from './marketplace-search.ts';
import { capabilityOfHit, type MarketplaceView } from './marketplace-view.ts';

const COUNT = 300;
const WORDS = ['git', 'postgres', 'weather', 'pdf', 'csv'];
const documents = Array.from({ length: COUNT }, (_, number) =>
  documentFrom(number, {
    name: `${WORDS[number % 5]} ${number}`,
    description: number % 3 === 0 ? 'about weather' : 'about something else',
    listing_type: number % 2 === 0 ? 'skill' : 'server',
    downloads: (number * 7_919) % 1_000,
  }),
);
/** The last 20 are in the delta, and the first 5 were removed. */
const view = viewOf(documents, { in_delta: 20, removed: 5 });
const all: SearchRequest = {
  text: 'weather',
  as_typed: false,
  filters: NO_FILTERS,
  sort: 'relevance',
  limit: 200,
  offset: 0,
};

const idsIn = (of: MarketplaceView, hits: readonly { row: number }[]) =>
  hits.map(({ row }) => capabilityOfHit(of, row).id);

/** Every hit of the view, so that any of them can be said to be near. */
const everyHit = searchCapabilities(view, { ...all, text: 'about', limit: 1_000 }).hits.map(({ row }) => row);

const wordedHits = searchCapabilities(view, all).hits.map(({ row }) => row);

const aids: fc.Arbitrary<Aid> = fc
  .record({
    near: fc.shuffledSubarray(everyHit, { minLength: 1, maxLength: RANKING.fusion.nearest }),
    // A hostile answer names anything, and things twice.
    weight: fc.constantFrom(0.3, 1),
    first: fc.array(fc.constantFrom(...everyHit.slice(0, 20), ...wordedHits.slice(0, 10), 9_999), { maxLength: 50 }),
  })
  .map(({ near, weight, first }) => ({
    nearest: { hits: Int32Array.from(near), similarities: Float32Array.from(near, (_, at) => 1 - at / 200) },
    weight,
    first,
    meaning: 'used',
    reranking: 'used',
    key: '',
  }));

test('the fused order is that of reciprocal ranks, the same over pages, and filters and facets fit it', () => {
  fc.assert(
    fc.property(aids, fc.constantFrom(null, 'skill'), fc.integer({ min: 1, max: 40 }), (aid, listing_type, limit) => {
      const filters = { ...NO_FILTERS, listing_type };
      const plain = searchCapabilities(view, { ...all, filters, limit: 1_000 });
      const fused = searchCapabilities(view, { ...all, filters, limit: 1_000, aid: { ...aid, first: [] } });
      const passing = (hit: number) =>
        listing_type === null || capabilityOfHit(view, hit).listing_type === listing_type;
      const near = [...aid.nearest.hits].filter(passing);
      const words = plain.hits.map(({ row }) => row);
      const union = new Set([...words, ...near]);
      assert.deepEqual(new Set(fused.hits.map(({ row }) => row)), union);
      assert.equal(fused.total_count, union.size);
      const share = (place: number): number => (place < 0 ? 0 : 1 / (RANKING.fusion.k + place + 1));
      const fusedOf = (hit: number): number => {
        const place = words.indexOf(hit);
        return share(place < RANKING.fusion.first ? place : -1) + aid.weight * share(near.indexOf(hit));
      };
      const expected = [...union].sort((a, b) => fusedOf(b) - fusedOf(a) || words.indexOf(a) - words.indexOf(b));
      const values = (fused.hits as AidedHit[]).map(({ row, aided }) => {
        assert.ok(Math.abs(aided.fused - fusedOf(row)) < 1e-12);
        return fusedOf(row);
      });
      assert.deepEqual(values, expected.map(fusedOf));
      const rest = fused.hits.filter(({ row }) => fusedOf(row) === 0).map(({ row }) => row);
      assert.deepEqual(
        rest,
        words.filter((row) => fusedOf(row) === 0),
        'the rest is in the order of words',
      );

      const reranked = searchCapabilities(view, { ...all, filters, limit: 1_000, aid });
      const head = fused.hits.slice(0, RANKING.fusion.reranked).map(({ row }) => row);
      const wanted = [...new Set(aid.first)].filter((hit) => head.includes(hit));
      const order = reranked.hits.map(({ row }) => row);
      assert.deepEqual(order.slice(0, head.length), [...wanted, ...head.filter((hit) => !wanted.includes(hit))]);
      assert.deepEqual(
        order.slice(head.length),
        fused.hits.slice(head.length).map(({ row }) => row),
      );
      const pages = Array.from({ length: Math.ceil(order.length / limit) }, (_, page) =>
        searchCapabilities(view, { ...all, filters, limit, offset: page * limit, aid }),
      );
      assert.deepEqual(
        pages.flatMap(({ hits }) => hits),
        reranked.hits,
      );
      for (const page of pages) assert.deepEqual([page.total_count, page.facets], [order.length, reranked.facets]);
      const unfiltered = searchCapabilities(view, { ...all, limit: 1_000, aid });
      assert.deepEqual(reranked.facets.listing_type, unfiltered.facets.listing_type);
      assert.equal(
        unfiltered.facets.listing_type.reduce((sum, { count }) => sum + count, 0),
        unfiltered.total_count,
      );
    }),
    { numRuns: 60 },
  );
});

test('without an answer of a model, and in other orders, the results are those without a model', () => {
  const none: Aid = {
    nearest: { hits: new Int32Array(0), similarities: new Float32Array(0) },
    weight: 1,
    first: [],
    meaning: 'late',
    reranking: 'off',
    key: 'late',
  };
  assert.deepEqual(searchCapabilities(view, { ...all, aid: none }), searchCapabilities(view, all));
  const near: Aid = { ...none, nearest: { hits: Int32Array.of(3), similarities: Float32Array.of(1) } };
  for (const sort of ['downloads', 'name', 'updated'] as const)
    assert.deepEqual(searchCapabilities(view, { ...all, sort, aid: near }), searchCapabilities(view, { ...all, sort }));
});

test('a text without any word that occurs finds what is near', () => {
  const hit = everyHit.at(-1) as number;
  const aid: Aid = {
    nearest: { hits: Int32Array.of(hit), similarities: Float32Array.of(0.5) },
    weight: 1,
    first: [],
    meaning: 'used',
    reranking: 'off',
    key: 'used',
  };
  const { hits, total_count } = searchCapabilities(view, { ...all, text: '!?', aid });
  assert.deepEqual([total_count, idsIn(view, hits)], [1, idsIn(view, [{ row: hit }])]);
  const { words_place, meaning_place, similarity } = (hits[0] as AidedHit).aided;
  assert.deepEqual([hits[0]?.score, words_place, meaning_place, similarity], [0, null, 1, 0.5]);
});

test('a copy that is near by its meaning is shown by the front of its copies, once', () => {
  const text = 'Reads the forecast of any city and says whether you need an umbrella.';
  const copies = viewOf([
    ...[0, 1, 2].map((number) => documentFrom(number, { name: `copy ${number}`, description: text })),
    documentFrom(3, { name: 'another', description: 'Nothing like it.' }),
  ]);
  const plain = searchCapabilities(copies, { ...all, text: 'umbrella' });
  const front = plain.hits[0]?.row as number;
  const other = searchCapabilities(copies, { ...all, text: 'another' }).hits[0]?.row as number;
  const hidden = [0, 1, 2, 3].filter((hit) => hit !== front && hit !== other);
  const nearest = { hits: Int32Array.of(...hidden, other), similarities: Float32Array.of(0.9, 0.9, 0.8) };
  const aid: Aid = { nearest, weight: 1, first: [], meaning: 'used', reranking: 'off', key: '' };
  const { hits, total_count, with_copies } = searchCapabilities(copies, { ...all, text: 'umbrella', aid });
  const places = hits.map(({ row, copies: others, aided }) => [row, others, aided?.meaning_place, aided?.words_place]);
  assert.deepEqual(places, [
    [front, 2, 1, 1],
    [other, 0, 2, null],
  ]);
  assert.deepEqual([total_count, with_copies], [2, 4]);
});
