import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { openSecretKeys } from '#core/crypto/secret-keys.ts';
import { freshDir } from './backup-stand.ts';
import { copySqlite } from './migrated.ts';

/** The commands of the guide, run one after the other as an operator would run them. */

const ROOT = new URL('..', import.meta.url).pathname;
const guide = await readFile(`${ROOT}docs/guides/back-up.md`, 'utf8');
const lines = [...guide.matchAll(/^```sh run\n(.*?)^```$/gms)].map((match) => match[1]).join('');
const CAPSTAND = `capstand() { "${process.execPath}" --import "${ROOT}src/app/compile-cache.mjs" "${ROOT}src/app/main.ts" "$@"; }`;

test('the commands of the guide back up, check and restore a database', async () => {
  const cwd = await freshDir();
  const DATA_DIR = join(cwd, 'data');
  await mkdir(DATA_DIR);
  await copySqlite(join(DATA_DIR, 'capstan.db'));
  const { current_id } = await openSecretKeys({ written: null, may_make: true, data_dir: DATA_DIR });
  const { stdout } = await promisify(execFile)('bash', ['-euc', `${CAPSTAND}\n${lines}`], {
    cwd,
    env: { PATH: process.env.PATH ?? '', DATA_DIR },
  });
  assert.match(
    stdout,
    /^backups\/capstan-\d{8}T\d{6}Z\.backup\n.*\nThe backup contains the secret key, encrypted with the passphrase/,
  );
  assert.match(stdout, /\nIntact: created 20[\s\S]*\nRestored the state of 20[\s\S]*restored\/secret\.key/);
  assert.match(stdout, new RegExp(`\\n${current_id}  current  0 rows\nAll rows use the current key`));
});
