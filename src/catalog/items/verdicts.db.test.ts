import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { nextSeq } from '#catalog/changes/changes.ts';
import { importListings } from '#catalog/transfer/import.ts';
import { testBlobs } from '#test/blobs.ts';
import { oneDatabase } from '#test/databases.ts';
import { listing } from '#test/listings.ts';
import { snapshotLines } from './export-lines.ts';
import { IMPORTED, saveListings } from './items.ts';
import { verdictsIn } from './verdicts.ts';

const NOW = '2026-03-01T00:00:00.000Z';
const VERDICTS = [
  { verdict: 'suspicious' as const, detail: 'It reads wallets.', at: '2026-02-01T00:00:00.000Z' },
  { verdict: 'official' as const, detail: 'Marked as official.', at: null },
];

const blobs = testBlobs();
oneDatabase('verdicts of providers', (open) => {
  test('are exported and imported, and replaced by newer ones', async () => {
    const [one, other] = [await open(), await open()];
    const save = (verdicts: typeof VERDICTS | undefined) =>
      one.db.transaction().execute(async (trx) => {
        const seq = await nextSeq(trx);
        const stored = listing('clawhub', 'a/b', verdicts === undefined ? {} : { verdicts });
        await saveListings(trx, 'clawhub', [stored], { run: IMPORTED, now: NOW, seq: async () => seq });
      });
    await save(VERDICTS);
    const lines = (await Array.fromAsync(snapshotLines({ db: one.db, blobs }))).join('');
    const clock = { now: () => Date.parse(NOW) };
    const { good, bad } = await importListings(Readable.from([Buffer.from(lines)]), { db: other.db, blobs, clock });
    assert.deepEqual([good, bad], [1, 0]);
    const stored = async (db: typeof one.db) =>
      verdictsIn((await db.selectFrom('listings').select('verdicts').executeTakeFirstOrThrow()).verdicts);
    assert.deepEqual(await stored(other.db), VERDICTS);
    await save(undefined);
    assert.deepEqual(await stored(one.db), []);
  });

  test('that are invalid make the imported line invalid', async () => {
    const { db } = await open();
    const line = JSON.stringify({
      ...listing('clawhub', 'a/b'),
      verdicts: [{ verdict: 'great', detail: '', at: null }],
    });
    const result = await importListings(Readable.from([Buffer.from(line)]), {
      db,
      blobs,
      clock: { now: () => Date.parse(NOW) },
    });
    assert.deepEqual(result.bad_lines, [{ line: 1, reason: 'verdicts is invalid' }]);
  });
});
