import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Transaction } from 'kysely';
import { lazySeq } from '#catalog/changes/changes.ts';
import { parseLine } from '#catalog/transfer/parse-line.ts';
import type { Schema } from '#core/db/schema.ts';
import { testBlobs } from '#test/blobs.ts';
import { eachDatabase, type TestDatabase } from '#test/databases.ts';
import { listing } from '#test/listings.ts';
import { snapshotLines } from './export-lines.ts';
import { type Facts, factsIn, readmeDigest } from './facts.ts';
import type { Listing } from './item.ts';
import { purgeTombstones, removeListings, type Save, saveListings } from './items.ts';
import { findRow } from './read-items.ts';
import { readmeOf } from './readmes.ts';

const KEY = { provider_id: 'docker', external_id: 'notes' };
let runs = 0;

const write = <T>({ db }: TestDatabase, change: (trx: Transaction<Schema>, save: Save) => Promise<T>): Promise<T> =>
  db
    .transaction()
    .execute((trx) => change(trx, { run: `r${++runs}`, now: '2026-03-01T00:00:00.000Z', seq: lazySeq(trx) }));

const save = (database: TestDatabase, more: Partial<Listing>) =>
  write(database, (trx, its) => saveListings(trx, 'docker', [listing('docker', 'notes', more)], its));

const factsOf = async ({ db }: TestDatabase): Promise<Facts> => factsIn((await findRow(db, KEY))?.facts);

function released(version: string, published_at: string, changes = ''): Partial<Listing> {
  return { version, facts: { title: 'Notes', versions: [{ version, published_at, changes }] } };
}

const withReadme = (readme: string): Partial<Listing> => ({
  readme,
  facts: { readme: { digest: readmeDigest(readme) } },
});

const blobs = testBlobs();
eachDatabase('facts of listings', (open) => {
  test('keeps versions that earlier syncs saw, and counts an unchanged listing as unchanged', async () => {
    const database = await open();
    await save(database, released('1.0.0', '2026-01-01'));
    await save(database, released('1.1.0', '2026-02-01'));
    const again = await save(database, released('1.1.0', '2026-02-01'));
    assert.deepEqual(again, { seen: 1, added: 0, updated: 0 });
    await save(database, released('1.1.0', '2026-02-01', 'Faster'));
    assert.deepEqual((await factsOf(database)).versions, [
      { version: '1.1.0', published_at: '2026-02-01', changes: 'Faster' },
      { version: '1.0.0', published_at: '2026-01-01', changes: '' },
    ]);
  });

  test('a README follows the record, and goes with the listing', async () => {
    const database = await open();
    await save(database, withReadme('# One \u{1F4D2}'));
    await save(database, withReadme('# Two'));
    assert.equal(await readmeOf(database.db, KEY), '# Two');
    await save(database, { description: 'without' });
    assert.equal(await readmeOf(database.db, KEY), '');
    await save(database, withReadme('# Three'));
    await write(database, (trx, its) => removeListings(trx, 'docker', ['notes'], its));
    await write(database, (trx) => purgeTombstones(trx, '2027-01-01', 10));
    assert.equal(await readmeOf(database.db, KEY), '');
  });

  test('an export has everything that an import reads back', async () => {
    const database = await open();
    const { facts, ...rest } = withReadme('# Notes');
    await save(database, {
      ...rest,
      license: 'MIT',
      facts: {
        ...facts,
        ...released('1.0.0', '2026-01-01').facts,
        icons: [{ src: 'https://notes.example/i.png', theme: 'dark' }],
        meta: { 'io.modelcontextprotocol.registry/publisher-provided': { a: [1, null] } },
        status: { status: 'deprecated', message: 'old' },
        tools: [{ name: 'find', title: '', description: 'Finds', input_schema: null }],
      },
    });
    const exported = (await Array.fromAsync(snapshotLines({ db: database.db, blobs }))).join('');
    const parsed = parseLine(Buffer.from(exported));
    assert.ok('listing' in parsed, exported);
    const other = await open();
    await write(other, (trx, its) => saveListings(trx, 'docker', [parsed.listing], its));
    assert.deepEqual(await factsOf(other), await factsOf(database));
    assert.equal(await readmeOf(other.db, KEY), '# Notes');
    assert.equal((await Array.fromAsync(snapshotLines({ db: other.db, blobs }))).join(''), exported);
  });
});
