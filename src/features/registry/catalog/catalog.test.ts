import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { eachDatabase, type TestDatabase } from '../../../../test/databases.ts';
import { createLog } from '../../../platform/log.ts';
import { nextSeq } from '../changes.ts';
import type { Item } from '../item.ts';
import { type Catalog, openCatalog } from './catalog.ts';
import { exampleItem } from './example-items.ts';
import { normalQuery } from './query.ts';

const log = createLog('silent');
const opened: Catalog[] = [];
afterEach(async () => {
  for (const catalog of opened.splice(0)) await catalog.close();
});

async function open(database: TestDatabase, data_dir: string | null = null, poll_ms = 60_000): Promise<Catalog> {
  const catalog = openCatalog({ database: database.config, data_dir, log, poll_ms });
  opened.push(catalog);
  await catalog.ready;
  return catalog;
}

const names = (catalog: Catalog, search = ''): string[] =>
  catalog.items(normalQuery({ search, sort: 'name', limit: 200 })).items.map(({ name }) => name);

/** One transaction that saves the items and tombstones the ids. */
function save({ db }: TestDatabase, items: Item[], gone: string[] = []): Promise<void> {
  return db.transaction().execute(async (trx) => {
    const seq = await nextSeq(trx);
    const state = { seq, first_seen_at: '', last_seen_at: '', seen_run: '', missed_runs: 0, removed_at: null };
    for (let at = 0; at < items.length; at += 200) {
      const rows = items.slice(at, at + 200).map(({ source: _, tags, ...item }) => ({
        ...item,
        ...state,
        tags: JSON.stringify(tags),
        ...{ license: '', repository: '', install: null, manifest: null, reported: '{}', digest: '' },
      }));
      const key = ['provider_id', 'external_id'] as const;
      await trx
        .insertInto('listings')
        .values(rows)
        .onConflict((it) =>
          it.columns([...key]).doUpdateSet((eb) => ({ name: eb.ref('excluded.name'), seq, removed_at: null })),
        )
        .execute();
    }
    for (const id of gone) {
      const removed = { seq, removed_at: '2026-01-01T00:00:00.000Z' };
      await trx.updateTable('listings').set(removed).where('external_id', '=', id).execute();
    }
  });
}

eachDatabase('the catalogue', (fresh) => {
  test('an empty database is ready and finds nothing', async () => {
    const catalog = await open(await fresh());
    assert.deepEqual(JSON.parse(Buffer.from(catalog.query(normalQuery({})).body).toString()), {
      items: [],
      total_count: 0,
      limit: 50,
      offset: 0,
    });
    assert.equal(catalog.stats().total_count, 0);
  });

  test('a refresh shows what was saved, changed, removed and came back; each with another version', async () => {
    const database = await fresh();
    await save(database, [exampleItem(1), exampleItem(2)]);
    const catalog = await open(database);
    const versions = [catalog.version];
    const step = async (items: Item[], gone: string[], expected: string[]): Promise<void> => {
      await save(database, items, gone);
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
    assert.deepEqual(catalog.stats().counts, [
      { provider: 'smithery', listing_type: 'server', execution_class: 'mcp', count: 2 },
    ]);
  });

  test('changes are found without asking, and an idle database keeps its version', async () => {
    const database = await fresh();
    const catalog = await open(database, null, 20);
    const before = catalog.version;
    await new Promise((resolve) => setTimeout(resolve, 60));
    assert.equal(catalog.version, before);
    await save(database, [exampleItem(1)]);
    while (catalog.version === before) await new Promise((resolve) => setTimeout(resolve, 10));
    assert.deepEqual(names(catalog), ['tool-1']);
  });

  test('a batch is seen whole or not at all, by readers who never stop reading', async () => {
    const database = await fresh();
    const catalog = await open(database, null, 1);
    const batch = (name: string) => Array.from({ length: 300 }, (_, i) => exampleItem(i, { name: `${name}-${i}` }));
    await save(database, batch('round0'));
    await catalog.refresh();
    let reads = 0;
    let writing = true;
    const writer = (async () => {
      for (let round = 1; round <= 6; round++) await save(database, batch(`round${round}`));
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

  test('a restart reads the snapshot and what changed since; the table is read where tombstones are missing', async () => {
    const database = await fresh();
    const data_dir = mkdtempSync(join(tmpdir(), 'capstan-catalog-'));
    await save(database, [exampleItem(1), exampleItem(2), exampleItem(3)]);
    await (await open(database, data_dir)).close();
    const file = join(data_dir, 'catalog.snapshot');
    const long_ago = new Date(1_000_000_000_000);
    utimesSync(file, long_ago, long_ago);

    await save(database, [exampleItem(4)], ['ana/tool-1']);
    const second = await open(database, data_dir);
    assert.deepEqual(names(second), ['tool-2', 'tool-3', 'tool-4']);
    assert.equal(statSync(file).mtimeMs, long_ago.getTime(), 'the snapshot was used, so not written anew');
    await second.close();

    await database.db.deleteFrom('listings').where('external_id', '=', 'ana/tool-1').execute();
    await database.db.updateTable('change_counters').set({ value: 2 }).where('name', '=', 'listings_purged').execute();
    assert.deepEqual(names(await open(database, data_dir)), ['tool-2', 'tool-3', 'tool-4']);
    assert.ok(statSync(file).mtimeMs > long_ago.getTime(), 'the snapshot could not be used and was written anew');
    rmSync(data_dir, { recursive: true });
  });
});
