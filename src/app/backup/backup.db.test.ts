import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { readSeq } from '#catalog/changes/changes.ts';
import { readDatabaseIdentity } from '#catalog/changes/database-identity.ts';
import { systemClock } from '#core/clock/clock.ts';
import { parseSecretKeys } from '#core/crypto/secret-keys.ts';
import { jobTable } from '#core/jobs/jobs.ts';
import { backUp, fill, freshDir, machine, openOn, restoreOn, whatOpens } from '#test/backup-stand.ts';
import { eachDatabase, NO_POSTGRES } from '#test/databases.ts';

eachDatabase('backups', (open, engine) => {
  test('restores into the other database engine, where secrets decrypt and receipts verify', {
    skip: NO_POSTGRES,
  }, async () => {
    const before = await fill(await open());
    const path = join(await freshDir(), 'a.backup');
    const { manifest } = await backUp(before, path, { kept: 'plain' });
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    const there = await machine(engine === 'sqlite' ? 'postgres' : 'sqlite');
    const restored = await restoreOn(there, path);
    assert.deepEqual([restored.damaged_secrets, restored.sign_ins_ended, restored.migrated], [[], 1, []]);
    assert.equal((await readFile(join(there.data_dir, 'secret.key'), 'utf8')).trim(), before.secret);
    const files = Object.keys(manifest.files);
    assert.deepEqual(
      files.map((path) => path.slice(0, 8)),
      ['bundles/', 'details/'],
    );
    for (const path of files)
      assert.deepEqual(await readFile(join(there.data_dir, path)), await readFile(join(before.data_dir, path)));

    const database = await openOn(there);
    const keys = parseSecretKeys(before.secret);
    assert.deepEqual(await whatOpens(database.db, keys, before.place, before.receipt_ids), {
      token: 'a token of theirs',
      receipts: true,
    });
    const rowsOf = ({ db }: { db: typeof before.db }) =>
      Promise.all([
        db.selectFrom('listings').select(['external_id', 'description']).orderBy('external_id').execute(),
        db.selectFrom('api_keys').selectAll().execute(),
        db.selectFrom('capability_scores').selectAll().execute(),
        db.selectFrom('log_checkpoints').selectAll().orderBy('size').limit(1).execute(),
      ]);
    assert.deepEqual(await rowsOf(database), await rowsOf(before));
    assert.ok((await jobTable(database, systemClock).claim(['a.job'], 'somebody else', 1_000)) !== null);
    assert.equal(await readDatabaseIdentity(database.db), null, 'validators of before fit nothing');
    const [then, now] = [await readSeq(before.db), await readSeq(database.db)];
    assert.ok(now.purged > then.current, 'a delta that was begun before is not gone on with');
  });

  test('contains a consistent snapshot while others write, without blocking them', async () => {
    const before = await fill(await open(), { listings: 400 });
    const path = join(await freshDir(), 'a.backup');
    let over = false;
    let writes = 0;
    const writer = async () => {
      for (; !over; writes++, await turn())
        await before.db.transaction().execute(async (trx) => {
          await trx
            .updateTable('users')
            .set({ display_name: `${writes}` })
            .execute();
          await trx.updateTable('capability_scores').set({ runs: writes }).execute();
        });
    };
    const writing = writer();
    const backing = backUp(before, path, { kept: 'plain' }).finally(() => {
      over = true;
    });
    await Promise.all([writing, backing]);
    assert.ok(writes > 0, 'nobody wrote before the backup ended');
    const there = await machine('sqlite');
    await restoreOn(there, path);
    const { db } = await openOn(there);
    const { display_name } = await db.selectFrom('users').selectAll().executeTakeFirstOrThrow();
    const { runs } = await db.selectFrom('capability_scores').selectAll().executeTakeFirstOrThrow();
    assert.ok(display_name === `${runs}` || (display_name === 'Ada' && runs === 1), `${display_name} ${runs}`);
  });

  test('restores only into an empty database, completely or not at all', async () => {
    const before = await fill(await open());
    const path = join(await freshDir(), 'a.backup');
    await backUp(before, path, { kept: 'not' });
    const own = { ...(await machine('sqlite')), config: before.config, secret: before.secret };
    await assert.rejects(restoreOn(own, path), { code: 'backup.conflict', message: /No changes were made/ });
    assert.equal((await before.db.selectFrom('listings').select('seq').execute()).length, 40);

    const there = { ...(await machine(engine)), secret: before.secret };
    const breakOff = { now: () => assert.fail('broken off at the last step') };
    await assert.rejects(restoreOn(there, path, { clock: breakOff }), /broken off/);
    const { tables } = (await restoreOn(there, path)).manifest;
    assert.equal(tables.listings?.rows, 40, 'nothing of it was left, so that it can be done again');
  });
});
