import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fold, nameParts, parts } from '#catalog/changes/fold.ts';
import type { Item } from '#catalog/items/item.ts';
import { exampleItem } from '#test/example-items.ts';
import { applyChanges, liveRegistry, registryStateOf } from '../build/live-index.ts';
import { buildSegment, segmentBuilder } from '../index/segment-builder.ts';
import { type ListView, listViewOf } from './list-view.ts';
import { type RegistrySearch, searchRegistry } from './registry-search.ts';

const ALL = { provider: null, listing_type: null, execution_class: null, limit: 100, offset: 0 };
const asked = (text: string, more: Partial<RegistrySearch> = {}): RegistrySearch => ({ ...ALL, ...more, text });
const viewOfItems = (items: Item[]): ListView =>
  listViewOf(registryStateOf(liveRegistry(buildSegment(items)), 'v'), null);
const ids = ({ hits }: { hits: { item: Item }[] }): string[] => hits.map(({ item }) => item.external_id);
const named = (number: number, name: string, more: Partial<Item> = {}): Item =>
  exampleItem(number, { name, external_id: String(number), ...more });

test('names rank above descriptions, exact names first, then by downloads', () => {
  const view = viewOfItems([
    named(1, 'weather'),
    named(9, 'forecast', { description: 'The weather of tomorrow.' }),
    named(3, 'Weather'),
    named(5, 'weather-mcp'),
    named(7, 'weatherman'),
    named(8, 'io.github.weather/other', { author: 'ana' }),
    named(6, 'bigweather'),
  ]);
  assert.deepEqual(ids(searchRegistry(view, asked('weather'))), ['3', '1', '5', '7', '9', '8', '6']);
  assert.deepEqual(ids(searchRegistry(view, asked('Weather', { limit: 2, offset: 2 }))), ['5', '7']);
  assert.equal(searchRegistry(view, asked('weather', { limit: 2 })).total_count, 7);
});

test('an id finds its listing, with or without its provider before it', () => {
  const view = viewOfItems([exampleItem(1), exampleItem(2, { description: 'Like ana/tool-1, but newer.' })]);
  assert.deepEqual(ids(searchRegistry(view, asked('ana/tool-1'))), ['ana/tool-1', 'ana/tool-2']);
  assert.deepEqual(ids(searchRegistry(view, asked('smithery/ana/tool-1'))), ['ana/tool-1']);
  assert.deepEqual(ids(searchRegistry(view, asked('ana/tool-1', { provider: 'glama' }))), []);
});

test('without a full match, listings with the most terms come first, and unmatched terms are reported', () => {
  const view = viewOfItems([
    named(1, 'slack', { description: 'Sends messages.' }),
    named(9, 'mail', { description: 'Sends messages.' }),
    named(2, 'chat', { description: 'Sends messages to slack.' }),
    ...Array.from({ length: 60 }, (_, i) => named(100 + i, `other-${i}`)),
  ]);
  const found = searchRegistry(view, asked('send slack messages with xyzzyq'));
  assert.deepEqual([found.is_whole, found.unmatched], [false, ['xyzzyq']]);
  assert.deepEqual(ids(found), ['1', '2', '9']);
  assert.deepEqual(
    ids(searchRegistry(view, asked('please send messages to the slack'))),
    ['1', '2'],
    'stop words do not count',
  );
  assert.deepEqual(
    ids(searchRegistry(view, asked('how do I send slack messages?'))),
    ['1', '2'],
    'a question finds the same',
  );
  assert.deepEqual(searchRegistry(view, asked('xyzzyq')).hits, []);
});

test('a hit has its install hint, also after changes', () => {
  const builder = segmentBuilder();
  builder.add(named(1, 'one'), 'npx -y one');
  builder.add(named(2, 'two'));
  const { index } = applyChanges(liveRegistry(builder.finish()), [
    { provider_id: 'smithery', external_id: '3', item: named(3, 'three'), hint: 'uvx three' },
  ]);
  const hints = searchRegistry(listViewOf(registryStateOf(index, 'v'), null), asked('e')).hits.map(({ item, hint }) => [
    item.name,
    hint,
  ]);
  assert.deepEqual(hints, [
    ['three', 'uvx three'],
    ['two', ''],
    ['one', 'npx -y one'],
  ]);
});

/** An item's tier by the definition. */
function tierOf(item: Item, text: string): number {
  const [wanted, name] = [parts(text), nameParts(item.name)];
  if (wanted.every((value) => name.includes(value))) return wanted.length === name.length && name.length <= 6 ? 0 : 1;
  const likes = wanted.filter((part) => name.some((value) => value.startsWith(part))).length;
  return likes === wanted.length ? 2 : likes > 0 ? 3 : 4;
}

test('any text gives the listings in the order of a scan over all of them, also after changes', () => {
  const word = fc.constantFrom('go', 'google', 'maps', 'Café', 'cafe', '検索', 'a', 'go-maps', 'x/go');
  const words = fc.array(word, { minLength: 1, maxLength: 3 }).map((list) => list.join(' '));
  const item = fc.record({ name: words, description: words, downloads: fc.nat(3) });
  fc.assert(
    fc.property(fc.array(item, { maxLength: 40 }), fc.nat(40), words, fc.nat(5), (given, split, text, offset) => {
      const items = given.map((fields, i) => named(i, fields.name, fields));
      let index = liveRegistry(buildSegment(items.slice(0, split)));
      const changes = items
        .slice(split)
        .map((item) => ({ provider_id: item.provider_id, external_id: item.external_id, item }));
      if (changes.length > 0) ({ index } = applyChanges(index, changes));
      const terms = [...new Set(fold(text).split(/\s+/))];
      const has = (item: Item) =>
        terms.every((term) =>
          fold(`${item.name} ${item.description} ${item.author}`)
            .split(/\s+/)
            .some((one) => one.includes(term)),
        );
      const right = items
        .filter(has)
        .map((item) => ({ item, tier: tierOf(item, text), name: fold(item.name) }))
        .sort(
          (a, b) =>
            a.tier - b.tier ||
            b.item.downloads - a.item.downloads ||
            (a.name < b.name ? -1 : a.name > b.name ? 1 : a.item.external_id < b.item.external_id ? -1 : 1),
        );
      const found = searchRegistry(listViewOf(registryStateOf(index, 'v'), null), asked(text, { offset, limit: 5 }));
      if (right.length === 0) return;
      assert.equal(found.total_count, right.length);
      assert.deepEqual(
        ids(found),
        right.slice(offset, offset + 5).map(({ item }) => item.external_id),
      );
    }),
    { numRuns: 150 },
  );
});
