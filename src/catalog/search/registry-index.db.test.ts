import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { sql } from 'kysely';
import { Registry } from 'prom-client';
import { readSeq } from '#catalog/changes/changes.ts';
import { databaseIdentity } from '#catalog/changes/database-identity.ts';
import type { Item } from '#catalog/items/item.ts';
import { openChangeFeed } from '#core/changes/change-feed.ts';
import { systemClock } from '#core/clock/clock.ts';
import { createLog } from '#core/log.ts';
import { eachDatabase, type TestDatabase } from '#test/databases.ts';
import { exampleItem, saveItems } from '#test/example-items.ts';
import { seriesOf } from '#test/series.ts';
import { until } from '#test/until.ts';
import { gaugeIndexes } from './index-metrics.ts';
import { normalQuery } from './query/list-query.ts';
import { type Catalog, openCatalog } from './registry-index.ts';

const log = createLog('silent');
const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const part of opened.splice(0)) await part.close();
});

interface Options {
  data_dir?: string;
  poll_ms?: number;
  idle_ms?: number;
}

async function open(database: TestDatabase, options: Options = {}): Promise<Catalog> {
  const { data_dir = null, poll_ms = 60_000, ...more } = options;
  const identity = await databaseIdentity(database.db);
  const changes = openChangeFeed({ database, database_config: database.config, log, poll_ms });
  const catalog = openCatalog({ database: database.config, identity, data_dir, log, changes, ...more });
  opened.push(catalog, changes);
  await catalog.ready;
  return catalog;
}

const names = (catalog: Catalog, search = ''): string[] =>
  catalog.items(normalQuery({ search, sort: 'name', limit: 200 })).items.map(({ name }) => name);

eachDatabase('the registry index', (fresh, engine) => {
  test('an index over an empty database is ready and finds nothing', async () => {
    const catalog = await open(await fresh());
    assert.deepEqual(JSON.parse(Buffer.from(catalog.query(normalQuery({})).body).toString()), {
      items: [],
      total_count: 0,
      limit: 50,
      offset: 0,
    });
    assert.equal(catalog.stats().total_count, 0);
  });

  test('a refresh shows saved, changed, removed and restored listings, each time with another version', async () => {
    const database = await fresh();
    await saveItems(database.db, [exampleItem(1), exampleItem(2)]);
    const catalog = await open(database);
    const versions = [catalog.version];
    const step = async (items: Item[], gone: string[], expected: string[]): Promise<void> => {
      await saveItems(database.db, items, gone);
      await catalog.refresh();
      assert.deepEqual(names(catalog), expected);
      versions.push(catalog.version);
    };
    assert.deepEqual(names(catalog), ['tool-1', 'tool-2']);
    await step([exampleItem(3), exampleItem(1, { name: 'renamed' })], [], ['renamed', 'tool-2', 'tool-3']);
    await step([], ['ana/tool-2', 'ana/tool-3'], ['renamed']);
    await step([exampleItem(2, { name: 'back' })], [], ['back', 'renamed']);
    assert.equal(new Set(versions).size, 4);
    assert.equal((await open(database)).version, catalog.version);
    const registry = new Registry();
    const newest = async () => (await readSeq(database.db)).current;
    gaugeIndexes(registry, systemClock, [{ index: 'registry', facts: catalog.facts, newest }]);
    await saveItems(database.db, [exampleItem(4)]);
    const value = async (name: string) => Number((await seriesOf(registry, `capstan_index_${name}`))[0]?.split(' ')[1]);
    assert.deepEqual([await value('items'), await value('change'), await value('lag')], [2, (await newest()) - 1, 1]);
    assert.ok((await value('bytes')) > 100 && (await value('build_seconds')) > 0 && (await value('age_seconds')) < 60);
    assert.deepEqual(catalog.stats().counts, [
      { provider: 'smithery', listing_type: 'server', execution_class: 'mcp', count: 2 },
    ]);
  });

  test('changes appear without a refresh, and the version changes only with them', async () => {
    const database = await fresh();
    const catalog = await open(database, { poll_ms: 20 });
    const before = catalog.version;
    for (let looks = 0; looks < 3; looks++) await catalog.refresh();
    assert.equal(catalog.version, before);
    await saveItems(database.db, [exampleItem(1)]);
    await until('another version', () => catalog.version !== before);
    assert.deepEqual(names(catalog), ['tool-1']);
  });

  test('the index closes its connection while nothing changes, and opens one for the next change', async () => {
    const database = await fresh();
    const catalog = await open(database, { poll_ms: 20, idle_ms: 1 });
    if (engine === 'postgres') await until('no connection', async () => (await plainConnections(database)) === 0);
    await saveItems(database.db, [exampleItem(1)]);
    await until('the change', () => names(catalog).length === 1);
  });

  test('readers never see a part of a batch', async () => {
    const database = await fresh();
    const catalog = await open(database, { poll_ms: 1 });
    const batch = (name: string) => Array.from({ length: 300 }, (_, i) => exampleItem(i, { name: `${name}-${i}` }));
    await saveItems(database.db, batch('round0'));
    await catalog.refresh();
    let reads = 0;
    let writing = true;
    const writer = (async () => {
      for (let round = 1; round <= 6; round++) await saveItems(database.db, batch(`round${round}`));
      writing = false;
    })();
    while (writing) {
      const seen = new Set(names(catalog).map((name) => name.split('-')[0]));
      assert.equal(seen.size, 1, [...seen].join());
      reads++;
      await new Promise((resolve) => setImmediate(resolve));
    }
    await writer;
    await catalog.refresh();
    assert.ok(reads > 1);
    assert.ok(names(catalog).every((name) => name.startsWith('round6-')));
  });

  test('a restart reads the snapshot and later changes, or the whole table if tombstones were purged', async () => {
    const database = await fresh();
    const data_dir = mkdtempSync(join(tmpdir(), 'capstan-catalog-'));
    await saveItems(database.db, [exampleItem(1), exampleItem(2), exampleItem(3)]);
    await (await open(database, { data_dir })).close();
    const file = join(data_dir, 'catalog.snapshot');
    const longAgo = new Date(1_000_000_000_000);
    utimesSync(file, longAgo, longAgo);

    await saveItems(database.db, [exampleItem(4)], ['ana/tool-1']);
    const second = await open(database, { data_dir });
    assert.deepEqual(names(second), ['tool-2', 'tool-3', 'tool-4']);
    assert.equal(statSync(file).mtimeMs, longAgo.getTime(), 'the snapshot was used, so it was not written again');
    await second.close();

    await database.db.deleteFrom('listings').where('external_id', '=', 'ana/tool-1').execute();
    await database.db.updateTable('change_counters').set({ value: 2 }).where('name', '=', 'listings_purged').execute();
    assert.deepEqual(names(await open(database, { data_dir })), ['tool-2', 'tool-3', 'tool-4']);
    assert.ok(statSync(file).mtimeMs > longAgo.getTime(), 'the snapshot could not be used and was written again');
    rmSync(data_dir, { recursive: true });
  });
});

/** Connections of threads, which have no application name. */
async function plainConnections({ db }: TestDatabase): Promise<number> {
  const { rows } = await sql`SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = ''`.execute(db);
  return rows.length;
}
