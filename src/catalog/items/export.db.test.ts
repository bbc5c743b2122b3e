import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Transaction } from 'kysely';
import { lazySeq, rememberPurged } from '#catalog/changes/changes.ts';
import type { Schema } from '#core/db/schema.ts';
import type { Handler } from '#core/http/operation.ts';
import { testBlobs } from '#test/blobs.ts';
import { eachDatabase, type TestDatabase } from '#test/databases.ts';
import { listing } from '#test/fakes/fault-server.ts';
import { exportItems } from './export.ts';
import { removeListings, type Save, saveListings } from './items.ts';

const blobs = testBlobs();

async function ask(database: TestDatabase, since?: number) {
  const handler = exportItems({ db: database.db, blobs }) as Handler;
  const reply = await handler({ query: { since } } as never);
  const chunks: string[] = [];
  for await (const chunk of reply.body as AsyncIterable<string>) chunks.push(chunk);
  const lines = chunks
    .join('')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  return { lines, etag: reply.etag, seq: Number(reply.headers?.['x-capstan-seq']) };
}
const write = (database: TestDatabase, change: (trx: Transaction<Schema>, save: Save) => Promise<unknown>) =>
  database.db
    .transaction()
    .execute((trx) => change(trx, { run: 'r1', now: '2026-03-01T00:00:00.000Z', seq: lazySeq(trx) }));
const many = (count: number, version: string) =>
  Array.from({ length: count }, (_, n) => listing('glama', `many/${n}`, { version }));

eachDatabase('GET /api/marketplace/registry/export', (open) => {
  test('200: every listing once, and a sequence number for the next delta', async () => {
    const database = await open();
    const rich = listing('docker', 'rich', {
      license: 'MIT',
      repository: 'https://r.example',
      install: { a: 1 },
      manifest: { b: 2 },
    });
    await write(database, (trx, save) => saveListings(trx, 'glama', many(2_500, '1'), save));
    await write(database, (trx, save) => saveListings(trx, 'docker', [rich], save));
    const { lines, seq, etag } = await ask(database);
    assert.equal(lines.length, 2_501);
    assert.equal(new Set(lines.map((line) => line.external_id)).size, 2_501);
    assert.equal(seq, 2);
    const { reported: _r, aliases: _a, ...line } = rich;
    assert.deepEqual(lines[0], line);
    assert.ok(!('license' in lines[1]) && !('manifest' in lines[1]));
    assert.equal((await ask(database)).etag, etag);
  });

  test('200: a delta contains only changes and tombstones', async () => {
    const database = await open();
    await write(database, (trx, save) => saveListings(trx, 'glama', many(1_200, '1'), save));
    const { seq, etag } = await ask(database);
    assert.deepEqual((await ask(database, seq)).lines, []);
    await write(database, (trx, save) => saveListings(trx, 'glama', [...many(1_100, '2')], { ...save, run: 'r2' }));
    await write(database, (trx, save) => removeListings(trx, 'glama', ['many/3', 'many/1199'], save));
    const delta = await ask(database, seq);
    assert.equal(delta.lines.length, 1_101);
    const tombstone = { provider_id: 'glama', external_id: 'many/3', removed_at: '2026-03-01T00:00:00.000Z', seq: 3 };
    assert.deepEqual(
      delta.lines.find((line) => line.external_id === 'many/3'),
      tombstone,
    );
    assert.equal(delta.lines.filter((line) => line.version === '2').length, 1_099);
    assert.notEqual((await ask(database)).etag, etag);
    assert.equal((await ask(database, 0)).lines.length, 1_200);
  });

  test('410: the sequence number is too old or from another database', async () => {
    const database = await open();
    await write(database, (trx, save) => saveListings(trx, 'glama', many(3, '1'), save));
    await write(database, (trx, save) => saveListings(trx, 'glama', many(3, '2'), { ...save, run: 'r2' }));
    await write(database, (trx) => rememberPurged(trx, 2));
    for (const since of [0, 1, 3])
      await assert.rejects(ask(database, since), { code: 'registry.gone', reason: 'changes_expired' });
    assert.deepEqual((await ask(database, 2)).lines, []);
  });
});
