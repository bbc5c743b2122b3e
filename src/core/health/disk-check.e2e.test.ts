import assert from 'node:assert/strict';
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { settingFiles } from '#core/config/config.ts';
import { settingFilesCheck } from '#core/config/setting-files-check.ts';
import { MAIL_SETTINGS } from '#core/mail/settings.ts';
import { found } from '#test/doctor-stand.ts';
import { diskCheck } from './disk-check.ts';

const dir = await mkdtemp(join(tmpdir(), 'capstan-disk-'));
after(() => rm(dir, { recursive: true }));
const look = async (data_dir: string) =>
  (await found(diskCheck({ data_dir, database: null, database_host: null }))).join('\n');

test('doctor reports free space and write durability, and leaves no file behind', async () => {
  const lines = await look(dir);
  assert.match(lines, /^(ok|warn|fail): \d.* free of \d.* at /m);
  assert.match(lines, /^(ok|warn): A test file was written and flushed in \d+ ms\./m);
  assert.deepEqual(await readdir(dir), []);
});

test('doctor reports a DATA_DIR that is missing, is not a directory, or is readable by others', async () => {
  assert.match(await look(join(dir, 'later')), /^ok: .* does not exist yet/);
  const file = join(dir, 'file');
  await writeFile(file, '');
  assert.match(await look(file), /^fail: Cannot write to .* \(ENOTDIR\)/m);
  await chmod(dir, 0o755);
  assert.match(await look(dir), /^warn: .* accessible to all users.* → chmod 700/m);
});

test('doctor reports setting files that are private, world-readable or unreadable', async () => {
  const [open, closed, config] = ['open', 'closed', 'config'].map((name) => join(dir, name)) as [
    string,
    string,
    string,
  ];
  await writeFile(closed, 'x', { mode: 0o600 });
  const lookAt = async (env: Record<string, string>) =>
    (await found(settingFilesCheck(settingFiles(MAIL_SETTINGS, env)))).join('\n');
  assert.match(await lookAt({}), /^ok: None/);
  assert.match(
    await lookAt({ CAPSTAN_SMTP_URL_FILE: closed }),
    /^ok: Readable by this user only: CAPSTAN_SMTP_URL_FILE/,
  );
  await writeFile(open, 'x', { mode: 0o644 });
  await writeFile(config, `CAPSTAN_SMTP_URL_FILE=${open}\n`, { mode: 0o600 });
  assert.match(
    await lookAt({ CAPSTAN_CONFIG_FILE: config }),
    /^warn: .*open.* is world-readable \(0644\)\. → chmod o= /,
  );
  assert.match(await lookAt({ CAPSTAN_SMTP_URL_FILE: join(dir, 'none') }), /^fail: .* cannot be read \(ENOENT\)/);
});
