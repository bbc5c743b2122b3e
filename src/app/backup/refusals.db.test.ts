import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { migrateTo, newestVersion } from '#core/db/migrate.ts';
import { openDatabase } from '#core/db/open.ts';
import { backUp, fill, freshDir, machine, openOn, PASSPHRASE, restoreOn, secretText } from '#test/backup-stand.ts';
import { oneDatabase, sqliteConfig } from '#test/databases.ts';
import { SEALED_COLUMNS } from '../sealed-columns.ts';
import { startCensus } from './census.ts';
import { checkBackup } from './check-backup.ts';
import { readPassphrase } from './passphrase.ts';
import { pack } from './write-backup.ts';

/** A backup by an attacker who recomputes everything but has no key. */
function forged(text: string): string {
  const lines = text.trimEnd().split('\n');
  const { mac } = JSON.parse(lines.pop() ?? '').manifest;
  const census = startCensus(SEALED_COLUMNS);
  for (const line of lines) {
    const value = JSON.parse(line);
    if (Array.isArray(value)) census.row(value, `${line}\n`);
    else if (value.table !== undefined) census.table(value.table, value.columns);
    else if (value.file !== undefined) census.file(value.file);
    else if (value.bytes !== undefined) census.bytes(Buffer.from(value.bytes, 'base64'));
  }
  const before = `${lines.join('\n')}\n`;
  const sha256 = createHash('sha256').update(before).digest('hex');
  return `${before}${JSON.stringify({ manifest: { ...census.end(), sha256, mac } })}\n`;
}

oneDatabase('restoring', (open) => {
  test('a wrong or missing key or passphrase is reported and nothing is changed', async () => {
    const before = await fill(await open());
    const dir = await freshDir();
    const [sealed, without] = [join(dir, 'sealed.backup'), join(dir, 'without.backup')];
    await backUp(before, sealed);
    await backUp(before, without, { kept: 'not' });
    for (const path of [sealed, without])
      for (const text of [before.secret, 'a token of theirs'])
        assert.ok(!zstdDecompressSync(await readFile(path)).includes(text), 'no secret as it is');
    const there = await machine('sqlite');
    const wrong = { ...there, secret: secretText() };
    const refused = async (given: typeof there, path: string, more: object, expected: object) => {
      await assert.rejects(restoreOn(given, path, more), {
        message: /No changes|Set the|No backup|Use /,
        ...expected,
      });
      assert.deepEqual(await readdir(there.data_dir), []);
      assert.ok(there.config.engine === 'sqlite' && !existsSync(there.config.path));
    };
    await refused(wrong, without, {}, { code: 'crypto.key_required', message: new RegExp(before.keys.current_id) });
    await refused(wrong, sealed, { passphrase: PASSPHRASE }, { code: 'crypto.key_required' });
    await refused(there, without, {}, { code: 'startup.unavailable', reason: 'secret_key_missing' });
    await refused(there, sealed, {}, { code: 'backup.invalid', reason: 'passphrase_required' });
    await refused(
      there,
      sealed,
      { passphrase: 'another passphrase' },
      { code: 'backup.invalid', reason: 'passphrase_wrong' },
    );
    const taken = join(dir, 'taken');
    await writeFile(taken, 'x');
    const given = { passphrase: PASSPHRASE, key_to: taken };
    await refused(there, sealed, given, { code: 'backup.conflict', reason: 'key_file_exists' });
    await assert.rejects(readPassphrase(undefined, 'short'), { code: 'backup.invalid', reason: 'passphrase_short' });
    const { key_written } = await restoreOn(there, sealed, { passphrase: PASSPHRASE });
    assert.equal((await readFile(`${key_written}`, 'utf8')).trim(), before.secret);
    const both = { ...(await machine('sqlite')), secret: `${secretText()},${before.secret}` };
    assert.equal((await restoreOn(both, without)).key_written, null, 'an older key of this machine opens it, too');
  });

  test('refuses a truncated, modified, foreign or newer backup before changing anything', async () => {
    const before = await fill(await open());
    const dir = await freshDir();
    const path = join(dir, 'a.backup');
    await backUp(before, path, { kept: 'plain' });
    const whole = await readFile(path);
    const there = await machine('sqlite');
    const bad = join(dir, 'bad.backup');
    const refused = async (bytes: Uint8Array, reason: RegExp) => {
      await writeFile(bad, bytes);
      await assert.rejects(restoreOn(there, bad), (error: { reason?: string }) => reason.test(`${error.reason}`));
    };
    for (const length of [0, 1, 100, whole.length >> 1, whole.length - 1])
      await refused(whole.subarray(0, length), /^damaged$/);
    for (let at = 0; at < 24; at++) {
      const bytes = Buffer.from(whole);
      const place = Math.floor((at * whole.length) / 24);
      bytes[place] = (bytes[place] as number) ^ (1 << (at % 8));
      await refused(bytes, /^(damaged|not_a_backup)$/);
    }
    await refused(Buffer.from('a text'), /^not_a_backup$/);
    await refused(zstdCompressSync('{"a":1}\n'), /^not_a_backup$/);
    const text = zstdDecompressSync(whole).toString();
    const packed = (from: string | RegExp, to: string) => zstdCompressSync(text.replace(from, to));
    await refused(packed('"capstan_backup":1', '"capstan_backup":2'), /^newer_version$/);
    await refused(packed('"Ada"', '"Eve"'), /^damaged$/);
    await writeFile(bad, zstdCompressSync(forged(text.replace('"Ada"', '"Eve"'))));
    const { manifest } = await checkBackup(bad, SEALED_COLUMNS);
    assert.equal(manifest.tables.users?.rows, 1, 'all digests are right');
    await assert.rejects(restoreOn(there, bad), {
      code: 'backup.invalid',
      reason: 'damaged',
      message: /MAC does not match the secret key/,
    });
    const lines = text.split('\n');
    for (const from of [3, lines.length - 3])
      await refused(zstdCompressSync(lines.toSpliced(from, 1).join('\n')), /^damaged$/);
    assert.deepEqual(await readdir(there.data_dir), []);
    await writeFile(bad, 'what somebody needs');
    await assert.rejects(backUp(before, join(dir, 'sub', 'x'), { kept: 'not' }), {
      code: 'command.file_unavailable',
      reason: 'backup_write',
    });
    await assert.rejects(backUp(before, bad, { kept: 'not' }), {
      code: 'command.file_unavailable',
      message: /not overwritten/,
    });
    assert.deepEqual((await readdir(dir)).sort(), ['a.backup', 'bad.backup']);
  });

  test('migrates an older schema, and refuses a newer one', async () => {
    const { config, drop } = await sqliteConfig();
    const older = await openDatabase(config);
    await older.db.transaction().execute((trx) => migrateTo({ db: trx, engine: 'sqlite' }, 9));
    await older.db.insertInto('change_counters').values({ name: 'of_then', value: 7 }).execute();
    const path = join(await freshDir(), 'a.backup');
    const own = { config, data_dir: await freshDir(), secret: secretText() };
    await backUp(own, path, { kept: 'not' });
    const there = { ...(await machine('sqlite')), secret: own.secret };
    assert.equal((await restoreOn(there, path)).migrated.at(-1), await newestVersion());
    const { db } = await openOn(there);
    assert.equal(
      (await db.selectFrom('change_counters').select('value').where('name', '=', 'of_then').execute()).length,
      1,
    );
    await older.db.insertInto('schema_migrations').values({ version: 9_999, name: 'later', applied_at: 'x' }).execute();
    await assert.rejects(backUp(own, path, { kept: 'not' }), { code: 'database.unavailable', reason: 'newer_schema' });
    await older.close();
    await drop();
  });
});

const hasFullDisk = existsSync('/dev/full');
test('fails with ENOSPC when the disk is full', { skip: hasFullDisk ? false : 'there is no /dev/full' }, async () => {
  const lines = (async function* () {
    for (let at = 0; at < 1_000; at++) yield `${secretText()}\n`;
  })();
  await assert.rejects(pack(lines, createWriteStream('/dev/full')), { code: 'ENOSPC' });
});
