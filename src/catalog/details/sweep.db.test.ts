import assert from 'node:assert/strict';
import { mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openBlobStore } from '#core/blobs/blob-store.ts';
import { eachDatabase } from '#test/databases.ts';
import { removeAll, saveAll } from '#test/linking.ts';
import { listing } from '#test/listings.ts';
import { type DocumentKind, documentsOf, saveDocument } from './documents.ts';
import { createRoom } from './room.ts';
import { sweepHandler } from './sweep.ts';

const NOW = '2026-03-01T00:00:00.000Z';
const clock = { ms: Date.parse(NOW), now: () => clock.ms };
const keyOf = (external_id: string) => ({ provider_id: 'glama', external_id });

const document = (kind: DocumentKind, text: string, fetched_at = NOW) => ({
  kind,
  text,
  url: 'https://ann.example/x',
  validators: '{}',
  fetched_at,
});

eachDatabase('stored documents', (open) => {
  test('of removed listings, and files that no listing names, are deleted', async () => {
    const database = await open();
    const { db } = database;
    const dir = await mkdtemp(join(tmpdir(), 'capstan-sweep-'));
    const blobs = openBlobStore(dir);
    await saveAll(database, [listing('glama', 'kept'), listing('glama', 'gone')]);
    const shared = await saveDocument(db, blobs, keyOf('kept'), document('readme', 'shared'));
    await saveDocument(db, blobs, keyOf('gone'), document('readme', 'shared'));
    const own = await saveDocument(db, blobs, keyOf('gone'), document('license', 'own'));
    const young = await blobs.put(Buffer.from('young'));
    await removeAll(database, [['glama', 'gone']]);
    for (const { digest } of [shared, own]) await utimes(join(dir, digest.slice(0, 2), digest), 0, 0);
    const room = createRoom({ db, clock, max_bytes: 100 });
    await sweepHandler({ db, blobs, clock, room })({ signal: new AbortController().signal } as never);
    assert.deepEqual(await documentsOf(db, keyOf('gone')), []);
    assert.deepEqual(await Promise.all([shared.digest, own.digest, young].map(blobs.has)), [true, false, true]);
    await rm(dir, { recursive: true });
  });

  test('of one provider take at most half of the space, and make room for newer ones', async () => {
    const database = await open();
    const { db } = database;
    const dir = await mkdtemp(join(tmpdir(), 'capstan-room-'));
    const blobs = openBlobStore(dir);
    await saveAll(database, [listing('glama', 'a'), listing('docker', 'b')]);
    const room = createRoom({ db, clock, max_bytes: 20 });
    assert.equal(await room.isFull('glama'), false);
    const { bytes } = await saveDocument(db, blobs, keyOf('a'), document('readme', 'ten bytes.'));
    room.add('glama', bytes);
    assert.deepEqual([await room.isFull('glama'), await room.isFull('docker')], [true, false]);
    await saveDocument(db, blobs, { provider_id: 'docker', external_id: 'b' }, document('readme', 'ten bytes.'));
    await room.makeRoom('glama');
    assert.equal(await room.isFull('glama'), false);
    assert.deepEqual(await documentsOf(db, keyOf('a')), []);
    assert.equal((await documentsOf(db, { provider_id: 'docker', external_id: 'b' })).length, 1);
    await rm(dir, { recursive: true });
  });
});
