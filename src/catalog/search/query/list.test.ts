import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Change } from '#catalog/changes/changes-since.ts';
import type { Item } from '#catalog/items/item.ts';
import { EXECUTION_CLASSES, LISTING_TYPES, PROVIDERS } from '#catalog/items/kinds.ts';
import { oracle } from '#test/catalog-oracle.ts';
import { exampleItem } from '#test/example-items.ts';
import { unsharedIn } from '#test/unshared.ts';
import { listBody } from '../answer/list-body.ts';
import { applyChanges, type LiveRegistry, liveRegistry, registryStateOf } from '../build/live-index.ts';
import { keyOf } from '../index/key-table.ts';
import { SORTS } from '../index/segment.ts';
import { buildSegment } from '../index/segment-builder.ts';
import { findPage } from './list.ts';
import { normalQuery } from './list-query.ts';
import { type ListView, listViewOf } from './list-view.ts';

const WORDS = [
  'search',
  'Searching',
  'data',
  'Café',
  'cafe',
  'naïve',
  '検索',
  '検索エンジン',
  'поиск',
  'a',
  'É',
  '😀ok',
  'x-y',
];
const fragment = fc.oneof(
  fc.constantFrom(...WORDS),
  fc.constantFrom('ear', 'e', 'af', 'fé', '索', '索エ', 'ис', 'и', '😀', '-', 'ata', 'zzz', ''),
  fc.string({ unit: 'grapheme', maxLength: 4 }),
);
const sentence = fc.array(fragment, { maxLength: 4 }).map((parts) => parts.join(' '));
const tag = fc.constantFrom('AI', 'ai', 'Café', 'cafe', '検索', 'b', 'ab');

const itemWith = (external_id: string): fc.Arbitrary<Item> =>
  fc
    .record({
      name: sentence,
      description: sentence,
      version: fc.constant('1.0.0'),
      author: fc.oneof(fragment, fc.constant('Ana')),
      homepage: fc.constant(''),
      downloads: fc.oneof(fc.nat(3), fc.constant(2 ** 41)),
      stars: fc.nat(3),
      tags: fc.array(tag, { maxLength: 3 }),
      provider_id: fc.constantFrom(...PROVIDERS.slice(0, 3)),
      listing_type: fc.constantFrom(...LISTING_TYPES),
      external_updated_at: fc.constantFrom(
        null,
        '2026-01-01T00:00:00Z',
        '2026-01-01T00:00:00.500Z',
        '2025-12-31T00:00:00Z',
      ),
      execution_class: fc.constantFrom(...EXECUTION_CLASSES),
    })
    .map(({ provider_id, listing_type, external_updated_at, execution_class, ...rest }) => ({
      ...rest,
      source: provider_id,
      listing_type,
      external_id,
      provider_id,
      external_updated_at,
      execution_class,
    }));

const item = fc.constantFrom(...Array.from({ length: 30 }, (_, i) => `id/${i}%@`)).chain(itemWith);
const change: fc.Arbitrary<Change> = fc.record({ item, gone: fc.boolean() }).map(({ item, gone }) => ({
  provider_id: item.provider_id,
  external_id: item.external_id,
  item: gone ? null : item,
}));
const parameters = fc.record({
  provider: fc.option(fc.constantFrom(...PROVIDERS.slice(0, 4)), { nil: undefined }),
  listing_type: fc.option(fc.constantFrom(...LISTING_TYPES), { nil: undefined, freq: 1 }),
  execution_class: fc.option(fc.constantFrom(...EXECUTION_CLASSES), { nil: undefined, freq: 1 }),
  tag: fc.option(tag, { nil: undefined, freq: 1 }),
  search: fc.option(
    fc.array(fragment, { maxLength: 3 }).map((parts) => parts.join('\t ')),
    { nil: undefined },
  ),
  sort: fc.constantFrom(...SORTS),
  limit: fc.integer({ min: 1, max: 7 }),
  offset: fc.nat(25),
});

const firstOfEach = (items: Item[]): Item[] => [
  ...new Map(items.map((item) => [keyOf(item.provider_id, item.external_id), item])).values(),
];

function sameAsOracle(view: ListView, items: Item[], given: Parameters<typeof normalQuery>[0]): void {
  const query = normalQuery(given);
  const { limit, offset } = query;
  const answer = JSON.parse(listBody(view, findPage(view, query), query).bytes.toString());
  assert.deepEqual(answer, { ...oracle(items)(query), limit, offset }, JSON.stringify(given));
}

test('any query gives the same results as a scan over all listings, also after changes', () => {
  fc.assert(
    fc.property(
      fc.array(item, { maxLength: 40 }),
      fc.array(fc.array(change, { maxLength: 8 }), { maxLength: 4 }),
      fc.array(parameters, { minLength: 1, maxLength: 12 }),
      (start, batches, queries) => {
        const items = firstOfEach(start);
        const live = new Map(items.map((listing) => [keyOf(listing.provider_id, listing.external_id), listing]));
        let index: LiveRegistry = liveRegistry(buildSegment(items));
        let view = listViewOf(registryStateOf(index, 'v0'), null);
        for (const [number, batch] of [[], ...batches].entries()) {
          for (const { provider_id, external_id, item: now } of batch) {
            if (now === null) live.delete(keyOf(provider_id, external_id));
            else live.set(keyOf(provider_id, external_id), now);
          }
          ({ index } = applyChanges(index, batch));
          view = listViewOf(registryStateOf(index, `v${number}`), view);
          for (const query of queries) sameAsOracle(view, [...live.values()], query);
        }
      },
    ),
    { numRuns: 300 },
  );
});

test('the state of the registry is in shared memory, so that threads do not copy it', () => {
  const [one, two, three] = [1, 2, 3].map((number) => exampleItem(number)) as [Item, Item, Item];
  const { provider_id } = one;
  const changes = [two, three].map((listing) => ({ provider_id, external_id: listing.external_id, item: listing }));
  const { index } = applyChanges(liveRegistry(buildSegment([one, two])), changes);
  const state = registryStateOf(index, 'v');
  assert.ok(state.deleted !== null && state.delta !== null);
  assert.deepEqual(unsharedIn(state), []);
});
