import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { verifyBundle } from '#runtime/receipts/bundle.ts';
import { capstand, freshDir } from '#test/process/capstand.ts';

test('capstand run --receipt writes a receipt that verifies with the issuing service’s key', async () => {
  const dir = await freshDir();
  const env = { DATA_DIR: join(dir, 'data') };
  const file = join(dir, 'receipt.json');
  const run = await capstand(['run', 'skill/json-diff', '--example', '--receipt', file], env).ended;
  assert.equal(run.code, 0, run.stderr);
  assert.match(run.stderr, /receipt .*receipt\.json: entry 0 of 1, its key [A-Za-z0-9+/]{43}=\n$/);
  const bundle = JSON.parse(await readFile(file, 'utf8'));
  const verdict = verifyBundle(bundle);
  assert.ok(verdict.consistent);
  assert.match(verdict.statement.subject[0]?.name ?? '', /^skill\/json-diff@/);

  const service = capstand(['serve'], env);
  const url = await service.url();
  const verified = await capstand(['verify', file, '--issuer', url], { DATA_DIR: join(dir, 'other') }).ended;
  assert.equal(verified.code, 0, verified.stdout);
  assert.match(verified.stdout, /^valid: signed by a key of /);
  service.child.kill('SIGTERM');
  await service.ended;

  const unwritable = await capstand(['run', 'skill/json-diff', '--example', '--receipt', dir], env).ended;
  assert.equal(unwritable.code, 2);
  assert.match(unwritable.stderr, /cannot be written/);
  await rm(dir, { recursive: true, force: true });
});
