import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { harnessesStand } from '#test/harnesses-stand.ts';

const MEMORIES = [
  ['Zoo/animals.md', 'The elephant forgets nothing. Elephants walk.'],
  ['a_b.md', 'Elephant'],
  ['a-b.md', 'An élÉphant in Paris, and a go program'],
  ['a/b.md', '東京都の象は大きい'],
  ['elephant.md', 'Something else: going on'],
  ['ß.md', 'Straße'],
] as const;

eachDatabase('listing and searching a memory', (open) => {
  test('200: lists by path and prefix, and finds words, with the same order on both databases', async () => {
    const { ask, refusal, newUser, newHarness } = harnessesStand(await open());
    const [as, other] = [await newUser(), await newUser()];
    const [{ id }, elsewhere] = [await newHarness(as), await newHarness(other)];
    const memories = MEMORIES.map(([path, content]) => ({ path, content }));
    await ask(as, 'memory.write', { id, body: { memories } });
    await ask(other, 'memory.write', { id: elsewhere.id, body: { memories } });

    const paths = async (query: object): Promise<string[]> =>
      (await ask(as, 'memory.list', { id, query: { ...query } })).body.items.map((item: { path: string }) => item.path);
    const sorted = ['a-b.md', 'a/b.md', 'a_b.md', 'elephant.md', 'Zoo/animals.md', 'ß.md'];
    assert.deepEqual(await paths({}), sorted);
    assert.deepEqual(await paths({ limit: 2, offset: 3 }), sorted.slice(3, 5));
    assert.deepEqual(await paths({ prefix: 'zoo/' }), ['Zoo/animals.md']);
    assert.deepEqual(await paths({ prefix: 'a' }), sorted.slice(0, 3));

    const found: Record<string, string[]> = {
      elephant: ['elephant.md', 'Zoo/animals.md', 'a-b.md', 'a_b.md'],
      'ELEPHANT paris': ['a-b.md'],
      elephants: ['Zoo/animals.md'],
      ele: ['elephant.md', 'Zoo/animals.md', 'a-b.md', 'a_b.md'],
      go: ['a-b.md'],
      goi: ['elephant.md'],
      東京: ['a/b.md'],
      京都の象は大: ['a/b.md'],
      京象: [],
      strasse: [],
      straße: ['ß.md'],
      'elephant nowhere': [],
      '%': [],
      _b: ['a_b.md', 'a-b.md', 'a/b.md'].toSorted(),
    };
    for (const [search, expected] of Object.entries(found)) {
      const got = await paths({ search });
      assert.deepEqual(search === '_b' ? got.toSorted() : got, expected, search);
    }
    const page = await ask(as, 'memory.list', { id, query: { search: 'elephant', limit: 1, offset: 9 } });
    assert.deepEqual([page.body.items, page.body.total_count], [[], 4]);
    const [first] = (await ask(as, 'memory.list', { id, query: { search: 'walk' } })).body.items;
    assert.equal(first.snippet, 'The elephant forgets nothing. Elephants walk.');
    const both = { id, query: { prefix: 'a', search: 'a' } };
    assert.equal(await refusal(as, 'memory.list', both), '400 http.invalid');

    await ask(as, 'memory.update', { id, path: 'a_b.md', body: { content: 'Mouse' } });
    await ask(as, 'memory.update', { id, path: 'a-b.md', body: { delete: true } });
    await ask(as, 'memory.update', { id, path: 'Zoo/animals.md', body: { redact: { version: 1, reason: 'private' } } });
    assert.deepEqual(await paths({ search: 'eleph' }), ['elephant.md'], 'what is not there any more is not found');
    assert.deepEqual(await paths({ search: 'mouse' }), ['a_b.md']);
    assert.deepEqual(await paths({}), ['a/b.md', 'a_b.md', 'elephant.md', 'Zoo/animals.md', 'ß.md']);
  });
});
