import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openSecretKeys } from './secret-keys.ts';

const dirs: string[] = [];
after(() => Promise.all(dirs.map((dir) => rm(dir, { recursive: true }))));
async function emptyDir(): Promise<string> {
  dirs.push(await mkdtemp(join(tmpdir(), 'capstan-keys-')));
  return dirs.at(-1) as string;
}
const newKey = () => randomBytes(32).toString('base64');

test('20 concurrent starts create one secret key that only its owner can read', async () => {
  const data_dir = await emptyDir();
  const opened = await Promise.all(
    Array.from({ length: 20 }, () => openSecretKeys({ written: null, may_make: true, data_dir })),
  );
  assert.equal(new Set(opened.map((secretKeys) => secretKeys.current_id)).size, 1);
  assert.deepEqual(await readdir(data_dir), ['secret.key']);
  assert.equal((await stat(join(data_dir, 'secret.key'))).mode & 0o777, 0o600);
});

test('production requires a configured secret key, even if an earlier start generated one', async () => {
  const data_dir = await emptyDir();
  const open = (may_make: boolean) => openSecretKeys({ written: null, may_make, data_dir });
  await assert.rejects(open(false), { code: 'startup.unavailable', reason: 'secret_key_missing' });
  assert.deepEqual(await readdir(data_dir), []);
  const { current_id } = await open(true);
  await assert.rejects(open(false), { code: 'startup.unavailable', reason: 'secret_key_missing' });
  const written = await readFile(join(data_dir, 'secret.key'), 'utf8');
  assert.equal((await openSecretKeys({ written, may_make: false, data_dir })).current_id, current_id);
});

test('the first of several secret keys encrypts, the others only decrypt', async () => {
  const [one, two] = [newKey(), newKey()];
  const open = (written: string) => openSecretKeys({ written, may_make: false, data_dir: tmpdir() });
  const [first, both] = [await open(one), await open(`${two}, ${one}`)];
  assert.notEqual(both.current_id, first.current_id);
  assert.ok(both.key(first.current_id) && both.key(both.current_id));
  assert.equal(first.key(both.current_id), undefined);
  assert.ok(!one.includes(first.current_id));
});

test('a malformed or weak secret key is rejected without repeating it', async () => {
  const weak = [Buffer.alloc(32), Buffer.alloc(32, 'a'), Buffer.from('secret'.repeat(6).slice(0, 32))];
  for (const written of [
    '',
    'changeme',
    newKey().slice(4),
    `${newKey()},`,
    ...weak.map((bytes) => bytes.toString('base64')),
  ])
    await assert.rejects(
      openSecretKeys({ written, may_make: false, data_dir: tmpdir() }),
      (error: Error & { code?: string }) =>
        error.code === 'startup.unavailable' && (written === '' || !error.message.includes(written)),
    );
});
