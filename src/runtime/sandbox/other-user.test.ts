import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { NOBODY, runAs } from './other-user.ts';

const root = process.getuid?.() === 0;

test('a server that is not root runs child processes as its own user', { skip: root && 'this is root' }, () => {
  assert.deepEqual(runAs([import.meta.filename], null).user, {});
});

test('root never runs a child process as root, even in a folder that only root can read', {
  skip: !root && 'only root can tell',
}, async () => {
  const dir = await mkdtemp(join(tmpdir(), 'capstan-user-'));
  const file = join(dir, 'program');
  await writeFile(file, '', { mode: 0o644 });
  try {
    await chmod(dir, 0o755);
    const open = runAs([file], null);
    assert.deepEqual(open.user, { uid: NOBODY, gid: NOBODY });
    assert.doesNotMatch(open.prefix.join(' '), /cap/);
    await chmod(dir, 0o700);
    const closed = runAs([file], null);
    assert.ok(closed.user.uid === NOBODY || closed.prefix.join(' ').includes(`--reuid ${NOBODY}`));
    assert.doesNotMatch(closed.prefix.join(' '), /\+(?!dac_read_search)/);
    assert.deepEqual(runAs([file], '/usr/bin/bwrap'), { user: {}, prefix: [] }, 'bubblewrap changes the user itself');
  } finally {
    await rm(dir, { recursive: true });
  }
});
