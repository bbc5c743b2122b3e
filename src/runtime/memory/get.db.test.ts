import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestDatabase } from '#test/databases.ts';
import { harnessesStand } from '#test/harnesses-stand.ts';

const database = await openTestDatabase();
after(() => database.close());
const { ask, refusal, newUser, newHarness, clock } = harnessesStand(database);

test('200: the newest version, an older version and the history; 404: an unknown path or version', async () => {
  const as = await newUser();
  const { id } = await newHarness(as);
  const path = 'notes/one.md';
  const at = (query: object = {}) => ({ id, path, query: { ...query } });
  assert.equal(await refusal(as, 'memory.get', at()), '404 harnesses.not_found');
  assert.equal(await refusal(as, 'memory.get', at({ history: true })), '404 harnesses.not_found');
  for (const content of ['first', 'second']) {
    clock.ms += 1_000;
    await ask(as, 'memory.update', { id, path, body: { content, note: `the ${content}` } });
  }
  const now = (await ask(as, 'memory.get', at())).body;
  assert.deepEqual([now.path, now.content, now.version, now.is_newest], [path, 'second', 2, true]);
  const old = (await ask(as, 'memory.get', at({ version: 1 }))).body;
  assert.deepEqual([old.content, old.note, old.is_newest], ['first', 'the first', false]);
  assert.equal(await refusal(as, 'memory.get', at({ version: 3 })), '404 harnesses.not_found');
  await ask(as, 'memory.update', { id, path, body: { delete: true } });
  assert.equal(await refusal(as, 'memory.get', at()), '404 harnesses.not_found');
  const { items, total_count } = (await ask(as, 'memory.get', at({ history: true, limit: 2 }))).body;
  assert.deepEqual([total_count, items.map((item: { change: string }) => item.change)], [3, ['delete', 'write']]);
  assert.ok(!JSON.stringify(items).includes('content'));
  assert.equal(await refusal(as, 'memory.get', { id, path: 'Notes/one.md' }), '404 harnesses.not_found');
});

test('400: unsafe paths and paths that collide with existing ones, for reading and writing', async () => {
  const as = await newUser();
  const { id } = await newHarness(as);
  await ask(as, 'memory.update', { id, path: 'Straße/é.md', body: { content: 'x' } });
  const never = [
    '..',
    '../a',
    'a/../b',
    './a',
    'a/.',
    '/a',
    '//a',
    'a//b',
    'a/',
    'C:/a',
    'c:a',
    'a\\b',
    'a\0b',
    'a\nb',
    '\u007f',
    'a\u202Eb',
    'a\u200Bb',
    'a\u2028b',
    '\ud800',
    'a ',
    ' a',
    'a /b',
    'a.',
    '...',
    'e\u0301.md',
    `${'a'.repeat(201)}`,
    '1/2/3/4/5/6/7/8/9',
    '\uFDFA'.repeat(100),
    '\uE000',
  ];
  for (const path of never) {
    const asked = { id, path, body: { content: 'x' } };
    assert.equal(await refusal(as, 'memory.update', asked), '400 http.invalid /path', JSON.stringify(path));
    assert.equal(await refusal(as, 'memory.get', { id, path }), '400 http.invalid /path');
  }
  for (const path of [
    'straße/É.md',
    'Straße',
    'Straße/é.md/x',
    'STRASSE\uFF0Fé.md'.replace('\uFF0F', '/').replace('SS', 'ß'),
  ]) {
    const asked = { id, path, body: { content: 'x' } };
    assert.equal(await refusal(as, 'memory.update', asked), '400 http.invalid /path', path);
  }
  for (const path of ['日本/メモ.md', 'a b/c-d_e.f', '.hidden', 'é', '😀', '1/2/3/4/5/6/7/8'])
    assert.equal((await ask(as, 'memory.update', { id, path, body: { content: path } })).body.path, path);
});
