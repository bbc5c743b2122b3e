import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sha256 } from '#core/crypto/sha256.ts';
import { readUsage } from '#runtime/harnesses/usage.ts';

import { openTestDatabase } from '#test/databases.ts';
import { harnessesStand } from '#test/harnesses-stand.ts';
import { digitsOf } from './digits.ts';

const database = await openTestDatabase();
after(() => database.close());
const { ask, refusal, newUser, newHarness, deps } = harnessesStand(database);
const as = await newUser();
const { id } = await newHarness(as);
const change = async (path: string, body: object) => (await ask(as, 'memory.update', { id, path, body })).body;
const refused = (path: string, body: object) => refusal(as, 'memory.update', { id, path, body });
const history = async (path: string) =>
  (await ask(as, 'memory.get', { id, path, query: { history: true } })).body.items;

test('200: write, restore and delete; 409: the content differs from `if_sha256`; 404: unknown versions', async () => {
  await change('a', { content: 'one', if_sha256: null });
  assert.equal(await refused('a', { content: 'two', if_sha256: null }), '409 harnesses.conflict');
  assert.equal(await refused('a', { content: 'two', if_sha256: sha256('x') }), '409 harnesses.conflict');
  assert.equal((await change('a', { content: 'two', if_sha256: sha256('one') })).version, 2);
  assert.equal((await change('a', { content: 'two' })).version, 2, 'the same again is no version');
  assert.equal(await refused('a', { restore: { version: 1 }, if_sha256: sha256('one') }), '409 harnesses.conflict');
  assert.equal((await change('a', { restore: { version: 1 } })).sha256, sha256('one'));
  assert.equal((await change('a', { delete: true })).sha256, null);
  assert.equal(await refused('a', { delete: true }), '404 harnesses.not_found');
  assert.equal(await refused('a', { restore: { version: 4 } }), '404 harnesses.not_found');
  assert.equal((await change('a', { restore: { version: 2 }, if_sha256: null })).version, 5);
  assert.equal((await ask(as, 'memory.get', { id, path: 'a' })).body.content, 'two');
  const changes = (await history('a')).map((entry: { change: string; restored_from: number }) => [
    entry.change,
    entry.restored_from,
  ]);
  assert.deepEqual(changes, [
    ['restore', 2],
    ['delete', null],
    ['restore', 1],
    ['write', null],
    ['write', null],
  ]);
});

test('redaction removes a text from all versions and the search index, and keeps its hash and reason', async () => {
  const secret = 'the password is swordfish';
  for (const content of [secret, 'harmless', secret, 'newest']) await change('b', { content });
  const bytes = async () => (await readUsage(deps.db, as.id))?.bytes ?? 0;
  const before = await bytes();
  await change('b', { redact: { version: 1, reason: 'a password' } });
  assert.equal(before - (await bytes()), 2 * secret.length);
  for (const version of [1, 3]) {
    const { body } = await ask(as, 'memory.get', { id, path: 'b', query: { version } });
    assert.deepEqual([body.content, body.sha256, body.redacted.reason], [null, sha256(secret), 'a password']);
    assert.equal(await refused('b', { restore: { version } }), '410 harnesses.gone');
  }
  const rows = await deps.db.selectFrom('memory_versions').selectAll().execute();
  assert.ok(!JSON.stringify(rows).includes('swordfish'));
  assert.equal((await ask(as, 'memory.get', { id, path: 'b' })).body.content, 'newest');
  await change('b', { redact: { version: 4, reason: 'that too' } });
  assert.equal((await ask(as, 'memory.get', { id, path: 'b' })).body.content, null);
  const words = (await deps.db.selectFrom('memory_words').select('word').execute()).map(({ word }) => word);
  assert.ok(!words.includes(digitsOf('newest')), 'its words go too');
  assert.equal((await change('b', { content: 'newest' })).version, 5, 'what was redacted can be written again');
});

test('400: no single change; 413: too long; 422: invalid text; 404: unknown path or version', async () => {
  for (const body of [{}, { content: 'x', delete: true }, { if_sha256: null }])
    assert.equal(await refused('c', body), '400 http.invalid');
  assert.equal(await refused('c', { content: 'é'.repeat(51_201) }), '413 harnesses.too_large /content');
  assert.equal((await change('c', { content: 'é'.repeat(51_200) })).size, 102_400);
  for (const content of ['\0', '\ud800'])
    assert.equal(await refused('c', { content }), '422 harnesses.invalid /content');
  for (const body of [{ restore: { version: 1 } }, { redact: { version: 1, reason: 'x' } }])
    assert.equal(await refused('none', body), '404 harnesses.not_found');
  assert.equal(await refused('c', { redact: { version: 9, reason: 'x' } }), '404 harnesses.not_found');
});
