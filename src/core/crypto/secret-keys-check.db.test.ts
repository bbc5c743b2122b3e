import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { SEALED_COLUMNS as places } from '#app/sealed-columns.ts';
import { systemClock } from '#core/clock/clock.ts';
import { jobTable } from '#core/jobs/jobs.ts';
import { payloadContext } from '#core/jobs/sealed-payload.ts';
import { eachDatabase } from '#test/databases.ts';
import { found } from '#test/doctor-stand.ts';
import { seal } from './seal.ts';
import { openSecretKeys } from './secret-keys.ts';
import { secretKeysCheck } from './secret-keys-check.ts';

const data_dir = await mkdtemp(join(tmpdir(), 'capstan-keys-'));
after(() => rm(data_dir, { recursive: true }));
const newKey = () => randomBytes(32).toString('base64');

eachDatabase('doctor check of secret keys', (open) => {
  test('reports secrets that need an older key, a missing key, or cannot be decrypted', async () => {
    const database = await open();
    const { db } = database;
    const look = (written: string) => found(secretKeysCheck({ written, may_make: false, data_dir, db, places }));
    const [first, second] = [newKey(), newKey()];
    const keys = await openSecretKeys({ written: first, may_make: false, data_dir });
    const sealed = seal(keys, 'a letter', payloadContext('mail', 'a'));
    await jobTable(database, systemClock).put({ kind: 'mail', key: 'a', payload: { sealed } });
    assert.match((await look(first)).join(), /^ok: CAPSTAN_SECRET_KEY found.*ok: 1 stored secrets/);
    assert.match((await look(`${second},${first}`)).at(-1) as string, /^warn: 1 of them .* → capstand vault rotate$/);
    const other = (await look(second)).at(-1) as string;
    assert.match(other, new RegExp(`^fail: .* missing keys: ${keys.current_id} \\(1\\)`));
    await db.updateTable('jobs').set({ key: 'elsewhere' }).execute();
    assert.match((await look(first)).at(-1) as string, /^fail: Failed to decrypt .*jobs\.payload/);
  });
});

test('doctor reports a missing or malformed secret key, and a key file that other users can read', async () => {
  const look = (written: string | null, may_make: boolean) =>
    found(secretKeysCheck({ written, may_make, data_dir, db: null, places }));
  assert.match((await look(null, false)).join(), /^fail: CAPSTAN_SECRET_KEY is not set.*openssl rand/);
  assert.match((await look(null, true)).join(), /^ok: No key yet/);
  await assert.rejects(look('short', true), { code: 'startup.unavailable', reason: 'secret_key_malformed' });
  await openSecretKeys({ written: null, may_make: true, data_dir });
  assert.equal((await look(null, true)).length, 1);
  await chmod(join(data_dir, 'secret.key'), 0o644);
  assert.match((await look(null, true))[1] as string, /^fail: .* readable by other users \(0644\)\. → chmod 600 /);
});
