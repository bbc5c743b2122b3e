import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentFrom } from '#test/capability-documents.ts';
import { capabilityBuilder } from '../index/capability-builder.ts';
import type { CapabilityDocument } from '../index/document.ts';
import { NO_FILTERS } from './filter.ts';
import { searchCapabilities } from './marketplace-search.ts';
import { capabilityOfHit, type MarketplaceView, marketplaceViewOf } from './marketplace-view.ts';

const TEXT = 'Reads the weather forecast of any city and says whether you need an umbrella.';

function viewOf(
  documents: readonly CapabilityDocument[],
  changed: readonly CapabilityDocument[] = [],
): MarketplaceView {
  const builder = capabilityBuilder();
  for (const document of documents) builder.add(document);
  const base = builder.finish();
  const delta = capabilityBuilder();
  for (const document of changed) delta.add(document);
  const segment = changed.length === 0 ? null : delta.finishDelta(base);
  const none = new Int32Array(changed.length);
  const positions = { downloads: none, stars: none, updated: none, name: none };
  const state = {
    base: base.segment,
    deleted: null,
    delta: segment && { segment, positions },
    version: '',
    is_whole: true,
  };
  return marketplaceViewOf(state, null);
}

function search(view: MarketplaceView, text: string, more: { copies_of?: string } = {}) {
  const page = { as_typed: false, filters: NO_FILTERS, sort: 'relevance' as const, limit: 100, offset: 0 };
  const { hits, ...found } = searchCapabilities(view, { text, ...page, ...more });
  return { ...found, hits: hits.map(({ row, copies }) => ({ copies, ...capabilityOfHit(view, row) })) };
}

function copy(number: number, author: string, changes: Partial<CapabilityDocument['wire']> = {}): CapabilityDocument {
  const document = documentFrom(number, { name: `umbrella ${number}`, author, description: TEXT });
  return { ...document, wire: { ...document.wire, ...changes } as typeof document.wire };
}

const fifty = Array.from({ length: 50 }, (_, number) => copy(number, `squatter-${number}`));

test('fifty copies of one text are one result, whatever their authors and punctuation', () => {
  const shouted = copy(50, 'eve', { description: TEXT.toUpperCase().replaceAll(' ', ' – ') });
  const other = documentFrom(51, { name: 'umbrella shop', description: 'Sells umbrellas for bad weather.' });
  const { hits, total_count, with_copies, facets } = search(viewOf([...fifty, shouted, other]), 'weather umbrella');
  assert.deepEqual([total_count, with_copies, hits.map(({ copies }) => copies).toSorted()], [2, 52, [0, 50]]);
  assert.deepEqual(facets.listing_type, [{ value: 'skill', count: 52 }], 'facets count capabilities');
});

test('copies are found again in what changed since, and listed on request', () => {
  const view = viewOf(fifty.slice(0, 49), [copy(49, 'squatter-49')]);
  const [found] = search(view, 'weather').hits;
  assert.equal(found?.copies, 49);
  const opened = search(view, 'weather', { copies_of: found?.id ?? '' });
  assert.deepEqual([opened.total_count, opened.hits.every(({ copies }) => copies === 0)], [50, true]);
  assert.equal(search(view, 'weather', { copies_of: 'unknown' }).total_count, 0);
  const single = viewOf([copy(1, 'ana')], [copy(2, 'bob')]);
  assert.equal(search(single, 'weather').hits[0]?.copies, 1, 'of a base where it was alone');
});

test('the original stands in front: claimed, much used, or older; never a flagged one', () => {
  const claimed = copy(60, 'ana', { publisher: { by: 'repository_file' } as never });
  const older = copy(61, 'bob', { created_at: '2025-01-01T00:00:00.000Z' });
  const flagged = copy(62, 'eve', { created_at: '2024-01-01T00:00:00.000Z', flagged: true });
  const used = copy(63, 'zoe');
  const byUse = { ...used, used: [{ provider: 'smithery', downloads: 90_000, stars: 0 }] };
  const others = Array.from({ length: 20 }, (_, at) => documentFrom(100 + at, { name: 'other', downloads: at + 1 }));
  const front = (...more: CapabilityDocument[]) =>
    search(viewOf([...fifty, ...others, ...more]), 'weather').hits[0]?.author;
  assert.deepEqual(
    [front(claimed, older, byUse, flagged), front(older, byUse, flagged), front(older, flagged)],
    ['ana', 'zoe', 'bob'],
  );
});

test('a copy that the query names is found under its name', () => {
  const named = copy(70, 'eve', { name: 'parasol planner' });
  const document = { ...named, searched: { ...named.searched, name: 'parasol planner' } };
  const older = copy(71, 'ana', { created_at: '2025-01-01T00:00:00.000Z' });
  assert.equal(search(viewOf([...fifty, older, document]), 'parasol planner').hits[0]?.author, 'eve');
});

test('short and empty texts are no copies, nor are texts of another type; the same files are', () => {
  const short = [1, 2].map((number) => documentFrom(number, { name: 'umbrella', description: 'Weather.' }));
  const types = [3, 4].map((number) =>
    documentFrom(number, { name: 'umbrella', description: TEXT, listing_type: number === 3 ? 'skill' : 'server' }),
  );
  assert.equal(search(viewOf([...short, ...types]), 'umbrella').total_count, 4);
  const digests = ['sha256:0011'];
  const files = [5, 6].map((number) => ({
    ...documentFrom(number, { name: 'umbrella', description: `Umbrella number ${number}` }),
    digests,
  }));
  assert.equal(search(viewOf(files), 'umbrella').hits[0]?.copies, 1);
});

test('a listing with the text of one and the files of another hides neither behind the other', () => {
  const files = ['sha256:0022'];
  const mine = documentFrom(80, { name: 'umbrella', description: TEXT, downloads: 500 });
  const other = documentFrom(81, { name: 'umbrella of others', description: 'Something else.', downloads: 400 });
  const theirs = { ...other, digests: files };
  for (const downloads of [1, 450, 900]) {
    const bridge = { ...documentFrom(82, { name: 'umbrella', description: TEXT, downloads }), digests: files };
    const places: [CapabilityDocument[], CapabilityDocument[]][] = [
      [[mine, theirs, bridge], []],
      [[mine, theirs], [bridge]],
      [[mine, bridge], [theirs]],
      [[theirs, bridge], [mine]],
      [[mine], [bridge, theirs]],
      [[bridge], [theirs, mine]],
      [[documentFrom(83, { name: 'piano', description: 'Tunes pianos.' })], [bridge, theirs, mine]],
    ];
    for (const [base, changed] of places) {
      const { hits } = search(viewOf(base, changed), 'umbrella');
      assert.deepEqual(hits.map(({ copies }) => copies).toSorted(), [0, 1]);
    }
  }
});

test('of two with the exact name, the one with a costly signal is first', () => {
  const named = (number: number, provider: string, downloads: number) =>
    documentFrom(number, { name: 'umbrella', description: `Number ${number}.`, providers: [provider], downloads });
  const { hits } = search(viewOf([named(1, 'smithery', 5), named(2, 'docker', 0)]), 'umbrella');
  assert.deepEqual(
    hits.map(({ sources }) => sources[0]?.provider),
    ['docker', 'smithery'],
  );
});

test('an exact name with a costly signal and no description is before the same name with one', () => {
  const known = documentFrom(1, { name: 'find-umbrellas', description: '', providers: ['docker'] });
  const other = documentFrom(2, { name: 'Find Umbrellas', description: 'Umbrellas are found against the rain.' });
  const [first] = search(viewOf([other, known]), 'find umbrellas').hits;
  assert.equal(first?.sources[0]?.provider, 'docker');
});
