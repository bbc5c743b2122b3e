import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sha256 } from '#core/crypto/sha256.ts';

import { openTestDatabase } from '#test/databases.ts';
import { harnessesStand } from '#test/harnesses-stand.ts';

const database = await openTestDatabase();
after(() => database.close());
const { ask, refusal, newUser, newHarness } = harnessesStand(database);
const as = await newUser();
const { id } = await newHarness(as);
const write = async (body: object) => (await ask(as, 'context.update', { id, body })).body.block;
const refused = (body: object) => refusal(as, 'context.update', { id, body });

test('200: creates, updates and deletes a block; 409: a block that is read-only', async () => {
  const made = await write({
    label: 'goal',
    content: 'Ship.',
    description: 'This week',
    max_characters: 10,
    if_sha256: null,
  });
  assert.deepEqual([made.version, made.sha256, made.read_only], [1, sha256('Ship.'), false]);
  const changed = await write({ label: 'goal', read_only: true, if_sha256: made.sha256 });
  const { version: _, read_only: __, ...rest } = made;
  assert.deepEqual(changed, { ...rest, version: 2, read_only: true });
  assert.equal(await refused({ label: 'goal', content: 'Rest.' }), '409 harnesses.conflict');
  assert.equal(await refused({ label: 'goal', delete: true, read_only: true }), '409 harnesses.conflict');
  assert.equal((await write({ label: 'goal', content: 'Rest.', read_only: false })).content, 'Rest.');
  assert.equal(await write({ label: 'goal', delete: true }), null);
});

test('409: the content differs from `if_sha256`; 404: unknown block; 422: too long or invalid text', async () => {
  await write({ label: 'who', content: '👩‍🚀👩‍🚀', max_characters: 6 });
  assert.equal(await refused({ label: 'who', content: 'x', if_sha256: null }), '409 harnesses.conflict');
  assert.equal(await refused({ label: 'who', content: 'x', if_sha256: sha256('y') }), '409 harnesses.conflict');
  assert.equal(await refused({ label: 'none', description: 'x' }), '404 harnesses.not_found');
  assert.equal(await refused({ label: 'who', content: '1234567' }), '422 harnesses.invalid /content');
  assert.equal(await refused({ label: 'who', max_characters: 5 }), '422 harnesses.invalid /content');
  assert.equal(await refused({ label: 'who', content: 'a\0' }), '422 harnesses.invalid /content');
  assert.equal(await refused({ label: 'who', description: '\ud800' }), '422 harnesses.invalid /description');
});
