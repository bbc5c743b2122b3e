import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FoundDetails } from '#catalog/items/listing-details.ts';
import { findRow } from '#catalog/items/read-items.ts';
import { testBlobs } from '#test/blobs.ts';
import { eachDatabase, type TestDatabase } from '#test/databases.ts';
import { removeAll, saveAll } from '#test/linking.ts';
import { listing } from '#test/listings.ts';
import { saveDetail } from './details.ts';
import { documentsOf, MAX_DOCUMENT_CHARS, type NewDocument, saveDocument, storedBytes } from './documents.ts';
import { createReadDetails } from './read-details.ts';

const NOW = '2026-03-01T00:00:00.000Z';
const KEY = { provider_id: 'clawhub', external_id: 'ann/rope' } as const;

const document = (kind: NewDocument['kind'], text: string): NewDocument => ({
  kind,
  text,
  url: `https://ann.example/${kind}`,
  validators: '{}',
  fetched_at: NOW,
});

async function openFixture({ db }: TestDatabase) {
  await saveAll({ db }, [listing(KEY.provider_id, KEY.external_id)]);
  const blobs = testBlobs();
  const underWay = new Set<string>();
  const readDetails = createReadDetails({
    db,
    blobs,
    isFetched: ({ provider_id }) => provider_id === 'clawhub',
    needsOf: () => null,
    isUnderWay: ({ external_id }) => underWay.has(external_id),
  });
  const read = async (): Promise<FoundDetails> => {
    const row = await findRow(db, KEY);
    assert.ok(row);
    return readDetails(row);
  };
  return { db, blobs, underWay, read };
}

eachDatabase('details of a listing, as they are read', (open) => {
  test('have the texts and files that were stored', async () => {
    const { db, blobs, read } = await openFixture(await open());
    const files = [{ path: 'scripts/run.py', size: 10, sha256: null, script: true }];
    await saveDetail(db, KEY, { files: JSON.stringify(files), file_count: 900, fetched_at: NOW }, NOW);
    await saveDocument(db, blobs, KEY, document('readme', '# Rope'));
    await saveDocument(db, blobs, KEY, document('skill', 'Tie knots.'));
    const found = await read();
    assert.deepEqual(
      [found.readme, found.skill_md, found.files, found.file_count],
      ['# Rope', 'Tie knots.', files, 900],
    );
    assert.deepEqual([found.details.state, found.readme_url], ['complete', 'https://ann.example/readme']);
    await saveDocument(db, blobs, KEY, document('readme', '# Rope 2'));
    assert.equal((await read()).readme, '# Rope 2');
    assert.deepEqual(await storedBytes(db), new Map([['clawhub', '# Rope 2Tie knots.'.length]]));
  });

  test('say what state they are in', async () => {
    const { db, underWay, read } = await openFixture(await open());
    const state = async () => (await read()).details;
    assert.equal((await state()).state, 'not_fetched');
    underWay.add(KEY.external_id);
    assert.equal((await state()).state, 'fetching');
    underWay.clear();
    await saveDetail(db, KEY, { error: 'ClawHub answered HTTP 500.', due_at: NOW }, NOW);
    assert.deepEqual(await state(), {
      state: 'failed',
      detail: 'ClawHub answered HTTP 500.',
      fetched_at: null,
      next_at: NOW,
    });
  });

  test('are shortened to whole characters, and a missing or changed file counts as none', async () => {
    const { db, blobs, read } = await openFixture(await open());
    const text = `${'x'.repeat(MAX_DOCUMENT_CHARS.readme - 1)}\u{1f600}`;
    await saveDocument(db, blobs, KEY, document('readme', text));
    const { readme } = await read();
    assert.equal(readme, text.slice(0, -2));
    const [stored] = await documentsOf(db, KEY);
    assert.deepEqual([stored?.shortened, stored?.bytes], [1, readme.length]);
    await blobs.remove(stored?.digest ?? '');
    assert.equal((await read()).readme, '');
  });

  test('go with the listing', async () => {
    const { db, blobs } = await openFixture(await open());
    await saveDocument(db, blobs, KEY, document('readme', '# Rope'));
    await removeAll({ db }, [[KEY.provider_id, KEY.external_id]]);
    await db.deleteFrom('listings').where('external_id', '=', KEY.external_id).execute();
    assert.deepEqual(await documentsOf(db, KEY), []);
  });
});
