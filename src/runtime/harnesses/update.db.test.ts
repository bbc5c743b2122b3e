import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestDatabase } from '#test/databases.ts';
import { HARNESS_FILE, harnessesStand } from '#test/harnesses-stand.ts';
import { readUsage } from './usage.ts';

const database = await openTestDatabase();
after(() => database.close());
const { ask, refusal, newUser, newHarness, deps } = harnessesStand(database);
const more = (text: string) => [{ ...HARNESS_FILE, content: `${HARNESS_FILE.content}${text}\n` }];

test('201: a new version with the current digest; 409: with an old digest; 200: unchanged files', async () => {
  const as = await newUser();
  const { id, digest } = await newHarness(as);
  const write = (text: string, if_digest: string) => ({ id, body: { files: more(text), if_digest, note: text } });
  const raced = await Promise.allSettled(
    ['a', 'b', 'c'].map((name) => ask(as, 'harnesses.update', write(name, digest))),
  );
  assert.equal(raced.filter((outcome) => outcome.status === 'fulfilled').length, 1);
  assert.equal(await refusal(as, 'harnesses.update', write('d', digest)), '409 harnesses.conflict');
  const now = (await ask(as, 'harnesses.get', { id })).body;
  assert.deepEqual([now.version, now.versions.length], [2, 2]);
  const same = await ask(as, 'harnesses.update', write(now.note, now.digest));
  assert.deepEqual([same.status, same.body.version, same.body.is_new], [200, 2, false]);
});

test('422: memory files; 400: no change or two changes; 409: a name already in use', async () => {
  const as = await newUser();
  const { id } = await newHarness(as);
  const files = [HARNESS_FILE, { path: 'memory/a', content: 'x' }];
  assert.equal(await refusal(as, 'harnesses.update', { id, body: { files } }), '422 harnesses.invalid /files/1/path');
  for (const body of [{}, { delete: true, files: [HARNESS_FILE] }])
    assert.equal(await refusal(as, 'harnesses.update', { id, body }), '400 http.invalid');
  const renamed = more('').map((entry) => ({ ...entry, content: entry.content.replace('release-notes', 'other') }));
  await ask(as, 'harnesses.create', { body: { files: renamed } });
  assert.equal(await refusal(as, 'harnesses.update', { id, body: { files: renamed } }), '409 harnesses.conflict');
});

test('deleting a harness removes its memories, context and usage; 409 with an old digest', async () => {
  const as = await newUser();
  const { id, digest } = await newHarness(as);
  await ask(as, 'memory.update', { id, path: 'a', body: { content: 'x'.repeat(1_000) } });
  await ask(as, 'memory.update', { id, path: 'a', body: { delete: true } });
  await ask(as, 'context.update', { id, body: { label: 'goal', content: 'Ship.' } });
  await ask(as, 'harnesses.update', { id, body: { files: more('b') } });
  assert.equal(
    await refusal(as, 'harnesses.update', { id, body: { delete: true, if_digest: digest } }),
    '409 harnesses.conflict',
  );
  await ask(as, 'harnesses.update', { id, body: { delete: true } });
  assert.equal(await refusal(as, 'harnesses.get', { id }), '404 harnesses.not_found');
  assert.deepEqual(await readUsage(deps.db, as.id), { harnesses: 0, memories: 0, bytes: 0 });
  await newHarness(as);
});
