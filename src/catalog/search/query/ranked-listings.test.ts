import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PROVIDERS } from '#catalog/items/kinds.ts';
import { SOURCES } from '#catalog/items/own-listings.ts';
import { documentFrom } from '#test/capability-documents.ts';
import { exampleItem } from '#test/example-items.ts';
import { viewsOver } from '#test/listing-search.ts';
import { sampleSkill } from '#test/sample-skill.ts';
import { capabilityBuilder } from '../index/capability-builder.ts';
import type { Aid } from './aid.ts';
import { NO_FILTERS } from './filter.ts';
import { searchCapabilities } from './marketplace-search.ts';
import { capabilityOfHit, marketplaceViewOf } from './marketplace-view.ts';
import { type FoundListings, type ListingRequest, rankListings } from './ranked-listings.ts';

const ALL: Omit<ListingRequest, 'text'> = {
  sources: SOURCES,
  with_built_in: false,
  listing_type: null,
  execution_class: null,
  tag: null,
  limit: 20,
  offset: 0,
};
const ids = ({ hits }: FoundListings): string[] => hits.map(({ item }) => `${item.provider_id}/${item.external_id}`);

const WORDS = ['weather', 'forecast', 'map', 'city', 'station', 'radar'];
const NAMES = Array.from({ length: 36 }, (_, at) => `${WORDS[at % 6]} ${WORDS[Math.floor(at / 6)]}`);
const items = NAMES.map((name, at) =>
  exampleItem(at, {
    name,
    description: `Shows the ${WORDS[(at * 5) % 6]} of today.`,
    external_id: `ana/${at}`,
    listing_type: at % 2 === 0 ? 'server' : 'skill',
    downloads: at,
  }),
);

test('listings come in the order of the search of capabilities, in pages', () => {
  const views = viewsOver(items.map((item) => ({ item })));
  for (const text of ['weather', 'map of a city', 'radar forecast', 'wether stations', 'ana/7']) {
    const request = { text, as_typed: false, filters: NO_FILTERS, sort: 'relevance', limit: 100, offset: 0 } as const;
    const found = searchCapabilities(views.market, request);
    const wanted = found.hits.map(({ row }) => {
      const [{ provider, external_id } = { provider: '', external_id: '' }] = capabilityOfHit(
        views.market,
        row,
      ).sources;
      return `${provider}/${external_id}`;
    });
    const ranked = rankListings(views, { ...ALL, text, limit: 100 });
    assert.deepEqual([ids(ranked), ranked.total_count], [wanted, found.total_count], text);
    assert.ok(wanted.length > 0, text);
    const pages = Array.from({ length: 12 }, (_, at) =>
      ids(rankListings(views, { ...ALL, text, limit: 3, offset: at * 3 })),
    );
    assert.deepEqual(pages.flat(), wanted.slice(0, 36), text);
  }
  const far = rankListings(views, { ...ALL, text: 'weather', offset: Number.MAX_SAFE_INTEGER - 200 });
  assert.deepEqual([ids(far), far.total_count > 0], [[], true], 'a page far behind the last');
  const skills = rankListings(views, { ...ALL, text: 'weather', listing_type: 'skill' });
  assert.ok(skills.hits.every(({ item }) => item.listing_type === 'skill') && skills.total_count > 0);
});

test('a capability is one hit: the listing that was asked for by its id, else the first that passes the filters', () => {
  const of = (provider_id: 'docker' | 'glama', external_id: string, more = {}) =>
    exampleItem(1, { name: 'Tides', provider_id, source: provider_id, external_id, ...more });
  const both = [
    of('docker', 'low-tides', { execution_class: 'prompt' }),
    of('glama', 'ann/tides', { execution_class: 'scripted', tags: ['Sea'] }),
  ];
  const { list } = viewsOver(both.map((item) => ({ item })));
  const document = documentFrom(1, { name: 'Tides', tags: ['Sea'] });
  const { provider_id: _, ...source } = { provider_id: '', version: '', homepage: '', updated_at: null };
  const places = both.map(({ provider_id: provider, external_id }) => ({
    provider: provider as 'docker',
    external_id,
  }));
  const builder = capabilityBuilder();
  builder.add({
    ...document,
    wire: {
      ...document.wire,
      listing_type: 'server',
      execution_class: 'scripted',
      sources: places.map((place) => ({ ...place, ...source })),
    },
    searched: { ...document.searched, places },
  });
  const base = builder.finish().segment;
  const market = marketplaceViewOf({ base, deleted: null, delta: null, version: '', is_whole: true }, null);
  const find = (text: string, more: Partial<ListingRequest> = {}) =>
    rankListings({ list, market }, { ...ALL, text, ...more });
  assert.deepEqual([ids(find('tides')), find('tides').total_count], [['docker/low-tides'], 1]);
  assert.deepEqual(ids(find('ann/tides')), ['glama/ann/tides']);
  assert.deepEqual(ids(find('glama/ANN/tides')), ['glama/ann/tides']);
  assert.deepEqual(ids(find('tides', { sources: ['glama'] })), ['glama/ann/tides']);
  assert.deepEqual(ids(find('tides', { tag: 'sea' })), ['glama/ann/tides']);
  assert.deepEqual(ids(find('tides', { execution_class: 'scripted' })), ['glama/ann/tides']);
  const [hit] = find('tides', { execution_class: 'scripted', sources: ['docker'] }).hits;
  assert.deepEqual([hit?.item.external_id, hit?.item.execution_class], ['low-tides', 'scripted'], 'as its capability');
  assert.deepEqual(ids(find('tides', { sources: ['smithery'] })), []);
});

test('built-in skills are left out, or found among the others', () => {
  const skill = sampleSkill('', { name: 'city-weather', description: 'Tells the weather of a city.' });
  const views = viewsOver(
    items.map((item) => ({ item })),
    [skill],
  );
  const find = (more: Partial<ListingRequest>) =>
    rankListings(views, { ...ALL, text: 'city weather', limit: 100, ...more });
  const [without, among] = [find({}), find({ with_built_in: true })];
  assert.ok(!ids(without).includes('capstan/skill/city-weather'));
  assert.ok(ids(among).slice(0, 2).includes('capstan/skill/city-weather'));
  assert.equal(among.total_count, without.total_count + 1);
  assert.ok(!ids(find({ with_built_in: true, sources: PROVIDERS })).includes('capstan/skill/city-weather'));
});

test('what is not linked yet is found by its id, and by parts of words if nothing else is found', () => {
  const fresh = exampleItem(99, { name: 'Zephyrometer', external_id: 'eve/zephyr', downloads: 5 });
  const also = exampleItem(98, { name: 'Zephyrs', external_id: 'eve/other', downloads: 7 });
  const views = viewsOver([
    ...items.map((item) => ({ item })),
    { item: fresh, is_unlinked: true },
    { item: also, is_unlinked: true },
  ]);
  const find = (text: string, more: Partial<ListingRequest> = {}) => rankListings(views, { ...ALL, text, ...more });
  assert.deepEqual(ids(find('eve/zephyr')).slice(0, 1), ['smithery/eve/zephyr']);
  assert.deepEqual(ids(find('smithery/eve/zephyr')).slice(0, 1), ['smithery/eve/zephyr']);
  assert.deepEqual(ids(find('eve/zephyr', { sources: ['glama'] })), []);
  const parts = find('ZEPHYR');
  assert.deepEqual(
    [ids(parts), parts.total_count, parts.match],
    [['smithery/eve/other', 'smithery/eve/zephyr'], 2, 'all'],
  );
  assert.deepEqual(find('zephyr', { sources: ['capstan'] }).match, 'none');
  assert.deepEqual(find('!? …').match, 'none');
});

test('what a model finds by meaning is among the listings, but parts of words come before it', () => {
  const views = viewsOver(items.map((item) => ({ item })));
  const idAt = (row: number): string => {
    const [place] = capabilityOfHit(views.market, row).sources;
    return `${place?.provider}/${place?.external_id}`;
  };
  const aid: Aid = {
    nearest: { hits: Int32Array.of(4, 9), similarities: Float32Array.of(0.9, 0.8) },
    weight: 1,
    first: [9, 4],
    meaning: 'used',
    reranking: 'used',
    key: 'used',
  };
  const found = rankListings({ ...views, aid }, { ...ALL, text: 'xylophone' });
  assert.deepEqual([ids(found), found.total_count, found.match], [[idAt(9), idAt(4)], 2, 'some']);
  assert.deepEqual(ids(rankListings({ ...views, aid }, { ...ALL, text: 'xylophone', limit: 1, offset: 1 })), [idAt(4)]);
  const parts = rankListings(views, { ...ALL, text: 'eathe' });
  assert.ok(parts.total_count > 0);
  assert.deepEqual(ids(rankListings({ ...views, aid }, { ...ALL, text: 'eathe' })), ids(parts));
  const worded = rankListings({ ...views, aid }, { ...ALL, text: 'weather', limit: 100 });
  const plain = rankListings(views, { ...ALL, text: 'weather', limit: 100 });
  assert.deepEqual(new Set(ids(worded)), new Set([...ids(plain), idAt(4), idAt(9)]));
});
