import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { SEALED_COLUMNS } from '#app/sealed-columns.ts';
import { listAudit } from '#core/audit/audit.ts';
import { systemClock } from '#core/clock/clock.ts';
import { rotateSealed } from '#core/crypto/rotate.ts';
import { type KeyProvider, keyProvider } from '#core/crypto/secret-keys.ts';
import { eachDatabase, type TestDatabase } from '#test/databases.ts';
import { somewhere } from '#test/vault-stand.ts';
import { putSecrets, readSecrets, type SecretsPlace } from './secrets.ts';
import { vaultCommand } from './vault-command.ts';

const NOW = '2026-03-01T00:00:00.000Z';
const newKey = () => createSecretKey(randomBytes(32));

/** A database with `connections`, each with two secrets under the old key. */
async function stand({ db }: TestDatabase, connections: number) {
  const [oldKey, nextKey] = [newKey(), newKey()];
  const [before, both, after] = [keyProvider([oldKey]), keyProvider([nextKey, oldKey]), keyProvider([nextKey])];
  const places: SecretsPlace[] = [];
  for (let n = 0; n < connections; n++) {
    const at = await somewhere(db);
    await putSecrets(db, before, at, { 'bearer.token': `token ${n}`, 'header.x': `x ${n}` }, NOW);
    places.push(at);
  }
  const written: string[] = [];
  const run = (keys: KeyProvider, argv: string[]) => {
    const stream = { write: (text: string | Uint8Array) => written.push(`${text}`) };
    const io = { stdout: stream, stderr: stream };
    return vaultCommand(argv, io, { db, clock: systemClock, keys, places: SEALED_COLUMNS });
  };
  const said = () => written.splice(0).join('');
  const rows = () => db.selectFrom('connection_secrets').selectAll().orderBy('sealed').execute();
  return { db, places, run, said, rows, before, both, after, turned: keyProvider([oldKey, nextKey]) };
}

eachDatabase('capstand vault', (open) => {
  test('rotate re-encrypts all rows during concurrent reads and writes, and the old key can be removed', async () => {
    const { db, places, run, said, both, after, turned } = await stand(await open(), 60);
    let over = false;
    const count = { reads: 0, writes: 0 };
    const reader = async (start: number, keys: KeyProvider) => {
      for (let n = start; !over; n++) {
        const { values } = await readSecrets(db, keys, places[n % places.length] as SecretsPlace);
        assert.match(values['bearer.token'] ?? '', /^token \d+$/);
        count.reads++;
      }
    };
    // Some processes already have the new key first, one does not.
    const writer = async (start: number, keys: KeyProvider, most: number) => {
      for (let n = start; !over && n < start + most; n++, await turn()) {
        await putSecrets(db, keys, places[n % places.length] as SecretsPlace, { 'header.x': `again ${n}` }, NOW);
        count.writes++;
      }
    };
    const load = [reader(0, both), reader(30, turned), writer(20, both, 500), writer(59, turned, 15)];
    const rotating = (async () => {
      while ((await run(both, ['rotate'])) !== 0);
      over = true;
    })();
    await Promise.all([rotating, ...load]);
    assert.ok(count.reads > 20 && count.writes > 5, JSON.stringify(count));
    assert.match(said(), /connection_secrets\.sealed: \d+ of \d+\n(?:.*\n)*You can remove the other keys/);
    // The last one may have written with the old key afterwards.
    assert.equal(await run(both, ['rotate']), 0);
    for (const [n, at] of places.entries())
      assert.equal((await readSecrets(db, after, at)).values['bearer.token'], `token ${n}`);
    assert.equal((await Array.fromAsync(listAudit(db))).at(-1)?.action, 'vault.rotate');
  });

  test('rotate resumes after an interruption, and changes nothing when run again', async () => {
    const { db, run, said, rows, both, after } = await stand(await open(), 40);
    const first = await rows();
    const breakOff = () => {
      throw new Error('broken off');
    };
    await assert.rejects(rotateSealed(db, both, SEALED_COLUMNS, breakOff), /broken off/);
    assert.equal(await run(both, ['status']), 0);
    assert.match(
      said(),
      /current {2}50 rows\n.*50\n[0-9a-f]{12} {2}older {2}30 rows\n.*30\nOlder keys are still in use/,
    );
    assert.equal(await run(both, ['rotate']), 0);
    const done = await rows();
    assert.equal(done.length, first.length);
    assert.ok(done.every(({ sealed }) => sealed.startsWith(`v1.${after.current_id}.`)));
    const textsOf = (first: typeof done) => first.map(({ sealed }) => sealed.split('.')[3]).sort();
    assert.deepEqual(textsOf(done), textsOf(first), 'ciphertexts stay');
    said();
    assert.equal(await run(both, ['rotate']), 0);
    assert.match(said(), /^0 rows re-encrypted with/);
    assert.deepEqual(await rows(), done);
    assert.equal(await run(after, ['status']), 0);
    assert.match(said(), /current {2}80 rows\n {2}connection_secrets\.sealed +80\nAll rows use the current key/);
  });

  test('rotate and status report a missing key, and change nothing', async () => {
    const { run, said, rows, before } = await stand(await open(), 2);
    const first = await rows();
    const wrong = keyProvider([newKey()]);
    const message = new RegExp(`${before.current_id} \\(4\\).* No changes were made`);
    await assert.rejects(run(wrong, ['rotate']), { code: 'crypto.key_required', message });
    assert.deepEqual(await rows(), first);
    assert.equal(await run(wrong, ['status']), 1);
    assert.match(said(), new RegExp(`${before.current_id}  NOT in CAPSTAN_SECRET_KEY  4 rows`));
  });

  test('rotate skips and names a damaged row, and re-encrypts the others', async () => {
    const { db, places, run, said, rows, both, after } = await stand(await open(), 3);
    const [bad] = places as [SecretsPlace];
    const sealed = (await rows()).find((row) => row.connection_id !== bad.connection_id)?.sealed as string;
    await db
      .updateTable('connection_secrets')
      .set({ sealed })
      .where((eb) => eb.and({ connection_id: bad.connection_id, field: 'header.x' }))
      .execute();
    assert.equal(await run(both, ['rotate']), 1);
    const text = said();
    assert.match(text, new RegExp(`damaged, skipped: connection_secrets.sealed ${bad.connection_id} header.x`));
    assert.doesNotMatch(text, /can go/);
    assert.equal((await rows()).filter((row) => row.sealed.startsWith(`v1.${after.current_id}.`)).length, 5);
  });

  test('exits with 2 for invalid arguments', async () => {
    const { run, both } = await stand(await open(), 0);
    for (const argv of [[], ['turn'], ['rotate', 'twice']]) assert.equal(await run(both, argv), 2);
  });
});
