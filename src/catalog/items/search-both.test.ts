import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RegistryResult, RegistrySearch } from '#catalog/search/query/registry-search.ts';
import { exampleItem } from '#test/example-items.ts';
import type { OwnHit, OwnListings } from './own-listings.ts';
import { searchBoth } from './search-both.ts';

const listed = (count: number, is_whole = true) => ({
  asked: [] as [number, number][],
  search({ offset, limit }: RegistrySearch): RegistryResult {
    this.asked.push([offset, limit]);
    const all = Array.from({ length: count }, (_, at) => ({ item: exampleItem(at, { name: `r${at}` }), hint: '' }));
    return {
      terms: ['a'],
      is_whole,
      unmatched: is_whole ? [] : ['a'],
      total_count: count,
      hits: all.slice(offset, offset + limit),
    };
  },
});

const own = (count: number, more: Partial<OwnHit> = {}): OwnListings => ({
  refreshed: () => null,
  search: () =>
    Array.from({ length: count }, (_, at) => ({
      item: { ...exampleItem(at, { name: `o${at} a` }), source: 'capstan', provider_id: 'capstan' },
      has: 1,
      is_exact: false,
      ...more,
    })),
});

const ASKED = { text: 'a', provider: null, listing_type: null, execution_class: null };
const names = (catalog: ReturnType<typeof listed>, ours: OwnListings, offset: number, limit: number) =>
  searchBoth({ catalog, own: ours }, { ...ASKED, offset, limit }).hits.map(({ item }) => item.name.split(' ')[0]);

test('every fifth hit is a published listing, and pages neither overlap nor skip hits', () => {
  const whole = names(listed(8), own(4), 0, 20);
  assert.deepEqual(whole, ['r0', 'r1', 'r2', 'r3', 'o0', 'r4', 'r5', 'r6', 'r7', 'o1', 'o2', 'o3']);
  for (const limit of [1, 2, 3, 5, 7]) {
    const pages = Array.from({ length: Math.ceil(12 / limit) }, (_, at) => names(listed(8), own(4), at * limit, limit));
    assert.deepEqual(pages.flat(), whole);
  }
  assert.deepEqual(names(listed(3), own(2, { is_exact: true }), 0, 9), ['o0', 'o1', 'r0', 'r1', 'r2']);
});

test('without published matches, the result of the index is returned unchanged', () => {
  const catalog = listed(8);
  const found = searchBoth({ catalog, own: own(0) }, { ...ASKED, offset: 2, limit: 3 });
  assert.deepEqual([catalog.asked, found.total_count, found.hits.length], [[[2, 3]], 8, 3]);
});

test('full matches among published listings replace partial ones, and the provider filter applies', () => {
  const found = searchBoth({ catalog: listed(8, false), own: own(2) }, { ...ASKED, offset: 0, limit: 5 });
  assert.deepEqual([found.is_whole, found.total_count, found.unmatched], [true, 2, []]);
  const only = searchBoth({ catalog: listed(8), own: own(2) }, { ...ASKED, provider: 'capstan', offset: 0, limit: 5 });
  assert.deepEqual([only.total_count, only.hits.length], [2, 2]);
  const theirs = searchBoth({ catalog: listed(8), own: own(2) }, { ...ASKED, provider: 'docker', offset: 0, limit: 5 });
  assert.equal(theirs.total_count, 8);
});
