import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Item } from '#catalog/items/item.ts';
import { PROVIDERS } from '#catalog/items/kinds.ts';
import { oracle } from '#test/catalog-oracle.ts';
import { exampleItem } from '#test/example-items.ts';
import { listBody } from '../answer/list-body.ts';
import { applyChanges, liveRegistry, registryStateOf } from '../build/live-index.ts';
import { SORTS } from '../index/segment.ts';
import { buildSegment } from '../index/segment-builder.ts';
import { findPage } from './list.ts';
import { type ListParameters, normalQuery } from './list-query.ts';
import { type ListView, listViewOf } from './list-view.ts';

/** Words that one listing in 2, 3, 5 … has, so that some are rare and some are frequent. One occurs only where stars are fewest. */
const everyItem = (number: number): Item =>
  exampleItem(number, {
    description: [2, 3, 5, 20, 70, 200]
      .filter((n) => number % n === 0)
      .map((n) => `every${n}th`)
      .concat(number % 40 === 39 ? ['starless'] : [])
      .join(' '),
    provider_id: PROVIDERS[number % 3] as Item['provider_id'],
    source: PROVIDERS[number % 3] as Item['source'],
    stars: number % 40 === 39 ? 0 : 1 + ((number * 7919) % 101),
    tags: number % 4 === 0 ? ['Common'] : number % 90 === 0 ? ['rare'] : number % 50 === 1 ? ['every2th'] : [],
    external_updated_at: number % 6 === 0 ? null : new Date(1e12 + ((number * 104_729) % 9973) * 1e6).toISOString(),
  });

const items = (count: number): Item[] => Array.from({ length: count }, (_, i) => everyItem(i));
const viewAt = (all: Item[], before: ListView | null = null): ListView =>
  listViewOf(registryStateOf(liveRegistry(buildSegment(all)), 'v'), before);

function queries(): ListParameters[] {
  const searches = [
    'every2th',
    'every3th every2th',
    'every20th',
    'every2',
    'every70th every3th',
    '2',
    'every200th ana',
    'starless',
    'x',
  ];
  return ['', ...searches].flatMap((search, i) =>
    SORTS.flatMap((sort) => [
      { search, sort, limit: 20, offset: i * 3 },
      { search, sort, limit: 7, offset: 60, provider: PROVIDERS[i % 3] },
      { search, sort, tag: i % 2 === 0 ? 'common' : 'rare', execution_class: 'mcp' as const },
      { search, sort, tag: 'every2th' },
      { search, sort, limit: 3 },
    ]),
  );
}

function check(view: ListView, all: Item[]): void {
  const truth = oracle(all);
  for (const query of queries().map(normalQuery)) {
    const { items: found, total_count } = JSON.parse(listBody(view, findPage(view, query), query).bytes.toString());
    assert.deepEqual({ items: found, total_count }, truth(query), JSON.stringify(query));
  }
}

test('rare and frequent filters give the same results uncached, cached and with a delta', () => {
  const before = items(900);
  let index = liveRegistry(buildSegment(before));
  let view = listViewOf(registryStateOf(index, 'v0'), null);
  check(view, before);
  check(view, before);
  const changes = items(130).map((item, i) => ({ ...item, item: i % 3 === 0 ? null : { ...item, stars: 55 } }));
  ({ index } = applyChanges(index, changes));
  view = listViewOf(registryStateOf(index, 'v1'), view);
  check(view, [...before.slice(130), ...changes.flatMap(({ item }) => (item === null ? [] : [item]))]);
});

test('cached conditions are kept until the base segment is replaced', () => {
  const [few, more] = [items(400), items(500)];
  const view = viewAt(few);
  check(view, few);
  assert.ok(view.base.cache.count > 0);
  const base = { base: view.base.segment, deleted: null, delta: null };
  assert.equal(listViewOf({ ...base, version: 'v2' }, view).base.cache, view.base.cache);
  const next = viewAt(more, view);
  assert.equal(next.base.cache.count, 0);
  check(next, more);
});

test('the cache of conditions is limited, and evicted conditions are computed again', () => {
  const all = items(400);
  const view = viewAt(all);
  check(view, all);
  for (let i = 0; i < 5_000; i++) findPage(view, normalQuery({ search: `not-there-${i}` }));
  assert.ok(view.base.cache.bytes <= 400 * 256, `${view.base.cache.bytes}`);
  assert.equal(view.base.cache.get('every2th'), undefined);
  check(view, all);
});
