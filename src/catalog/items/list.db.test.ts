import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openListingSearch } from '#catalog/search/listing-search.ts';
import { type Catalog, openCatalog } from '#catalog/search/registry-index.ts';
import { systemClock } from '#core/clock/clock.ts';
import type { Handler } from '#core/http/operation.ts';
import { createServer, type HttpServer } from '#core/http/server.ts';
import { createLog } from '#core/log.ts';
import { indexBeside } from '#test/capability-index.ts';
import { openTestDatabase } from '#test/databases.ts';
import { exampleItem, saveItems } from '#test/example-items.ts';
import { linkAllNow } from '#test/linking.ts';
import { itemsContract } from './contract.ts';
import { type Flagged, flaggedOf } from './flagged.ts';
import { listItems } from './list.ts';

const PATH = '/api/marketplace/registry';
const log = createLog('silent');
let catalog: Catalog;
let http: HttpServer;
let flagged: Flagged = flaggedOf([], true, '');
let linkAll: () => Promise<unknown>;
let addItems: (numbers: number[]) => Promise<void>;
let warmingUp: { status: number; retry_after: unknown; code: string };
const cleanups: (() => Promise<unknown>)[] = [];

const get = async (query: string, headers: Record<string, string> = {}) =>
  http.fastify.inject({ url: `${PATH}${query}`, headers });

before(async () => {
  const database = await openTestDatabase();
  linkAll = () => linkAllNow(database, 1_000);
  addItems = (numbers) =>
    saveItems(
      database.db,
      numbers.map((n) => exampleItem(n, { tags: [n % 2 === 0 ? 'Even' : 'odd'] })),
    );
  await addItems(Array.from({ length: 120 }, (_, n) => n));
  // Each test refreshes the index itself.
  const changes = { subscribe: () => () => {}, close: async () => {} };
  catalog = openCatalog({ database: database.config, identity: 'test', data_dir: null, log, changes });
  const index = indexBeside({ config: database.config, clock: systemClock });
  const search = openListingSearch({ catalog, index });
  const handler = listItems({
    catalog,
    search,
    flagged: { known: () => flagged, read: async () => flagged },
  }) as Handler;
  const operations = [{ operation: itemsContract.list, handler }];
  http = createServer({ operations, log, onAnswer: () => {} });
  const early = await get('');
  warmingUp = { status: early.statusCode, retry_after: early.headers['retry-after'], code: early.json().code };
  await catalog.ready;
  cleanups.push(() => http.close(0), catalog.close, database.close);
});
after(async () => {
  for (const cleanup of cleanups) await cleanup();
});

test('503: the index is still being built, with Retry-After', () => {
  assert.deepEqual(warmingUp, { status: 503, retry_after: '1', code: 'http.unavailable' });
});

test('200: by default the first fifty by downloads, with an exact total', async () => {
  const answer = await get('');
  const { items, ...rest } = answer.json();
  assert.deepEqual(rest, { total_count: 120, limit: 50, offset: 0 });
  assert.deepEqual(items[0], exampleItem(119, { tags: ['odd'] }));
  assert.deepEqual(Object.keys(items[0]), Object.keys(exampleItem(0)));
  assert.equal(items.length, 50);
});

test('200: next and prev links cover every page once, with the same parameters', async () => {
  const seen: string[] = [];
  let query = '?tag=EVEN&search=Tool+writes&sort=name&limit=25';
  let pages = 0;
  for (; query !== ''; pages++) {
    const answer = await get(query);
    seen.push(...answer.json().items.map((item: { name: string }) => item.name));
    query = /<\/api\/marketplace\/registry([^>]+)>; rel="next"/.exec(String(answer.headers.link))?.[1] ?? '';
  }
  assert.equal(pages, 3);
  assert.deepEqual(seen, Array.from({ length: 60 }, (_, i) => `tool-${i * 2}`).sort());
  const second = await get('?tag=even&search=tool+writes&sort=name&limit=25&offset=25');
  assert.match(
    String(second.headers.link),
    /rel="next", <\/api\/marketplace\/registry\?tag=even&search=tool\+writes&sort=name&limit=25&offset=0>; rel="prev"/,
  );
});

test('200: a page after the last is empty and has the total', async () => {
  const { items, total_count } = (await get('?offset=500')).json();
  assert.deepEqual([items, total_count], [[], 120]);
});

test('304: the ETag is valid until the catalog changes, plain and compressed', async () => {
  const first = await get('?search=tool-7');
  const etag = String(first.headers.etag);
  assert.equal((await get('?search=tool-7', { 'if-none-match': etag })).statusCode, 304);
  const packed = await get('', { 'accept-encoding': 'gzip' });
  assert.equal(packed.headers['content-encoding'], 'gzip');
  await addItems([700]);
  await catalog.refresh();
  const changed = await get('?search=tool-7', { 'if-none-match': etag });
  assert.equal(changed.statusCode, 200);
  assert.equal(changed.json().total_count, first.json().total_count + 1);
});

test('400: names the invalid value, limit or parameter, and what is allowed', async () => {
  const refused: [query: string, pointer: string][] = [
    ['?provider=nobody', '/provider'],
    ['?limit=201', '/limit'],
    ['?limit=0', '/limit'],
    ['?offset=-1', '/offset'],
    ['?sort=rank', '/sort'],
    ['?page=2', '/page'],
  ];
  for (const [query, pointer] of refused) {
    const answer = await get(query);
    assert.equal(answer.statusCode, 400, query);
    assert.equal(answer.json().errors[0].pointer, pointer);
  }
});

test('200: flagged items are marked anywhere on a page, also in cached responses', async () => {
  const marked = async (query: string) => {
    const answer = await get(query);
    const items: { external_id: string; flagged?: boolean }[] = answer.json().items;
    return {
      etag: answer.headers.etag,
      building: answer.headers['x-capstan-index'],
      ids: items.filter((item) => item.flagged === true).map(({ external_id }) => external_id),
      rest: items.map(({ flagged: _, ...item }) => item),
    };
  };
  for (const sort of ['downloads', 'name']) {
    flagged = flaggedOf([], true, '');
    const query = `?sort=${sort}&limit=7&offset=3`;
    const before = await marked(query);
    await marked(query);
    assert.deepEqual([before.ids, before.building], [[], undefined]);
    const ids = [0, 1, 4, 6].map((at) => before.rest[at]?.external_id as string);
    const provider = exampleItem(1).provider_id;
    flagged = flaggedOf(
      [...ids, 'unknown'].map((id) => [provider, id]),
      false,
      'v1',
    );
    const after = await marked(query);
    assert.deepEqual([after.ids, after.rest, after.building], [ids, before.rest, 'building']);
    assert.notEqual(after.etag, before.etag);
  }
  flagged = flaggedOf([], true, '');
});

test('200: sort=relevance ranks by the search of the marketplace, with links, marks and its own ETag', async () => {
  await linkAll();
  const answer = await get('?search=Tool+77&sort=relevance&limit=2');
  const { items, limit, offset, corrected, translated } = answer.json();
  assert.deepEqual([items[0], limit, offset], [exampleItem(77, { tags: ['odd'] }), 2, 0]);
  assert.deepEqual([corrected, translated], [[], []]);
  const page = await get('?search=reads+Things&sort=relevance&limit=2&tag=odd');
  assert.match(
    String(page.headers.link),
    /^<\/api\/marketplace\/registry\?tag=odd&search=reads%20Things&sort=relevance&limit=2&offset=2>; rel="next"/,
  );
  const etag = String(answer.headers.etag);
  const again = { 'if-none-match': etag };
  assert.equal((await get('?search=Tool+77&sort=relevance&limit=2', again)).statusCode, 304);
  flagged = flaggedOf([['smithery', 'ana/tool-77']], true, 'v2');
  const marked = await get('?search=Tool+77&sort=relevance&limit=2', again);
  assert.deepEqual([marked.statusCode, marked.json().items[0].flagged], [200, true]);
  flagged = flaggedOf([], true, '');
  const slip = (await get('?search=reads+thigns&sort=relevance')).json();
  assert.deepEqual([slip.corrected, slip.total_count > 100], [[{ from: 'thigns', to: 'things' }], true]);
  assert.deepEqual((await get('?search=reads+thigns&sort=relevance&as_typed=true')).json().corrected, []);
  assert.equal((await get('?search=tool&sort=relevance&provider=glama')).json().total_count, 0);
});

test('200: sort=relevance without words is by downloads', async () => {
  const { items, ...rest } = (await get('?sort=relevance&search=+&limit=3')).json();
  assert.deepEqual(
    [items, rest],
    [(await get('?limit=3')).json().items, { total_count: rest.total_count, limit: 3, offset: 0 }],
  );
});
