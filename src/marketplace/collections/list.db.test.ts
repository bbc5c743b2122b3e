import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneDatabase } from '#test/databases.ts';
import { moderationStand } from '#test/moderation-stand.ts';

oneDatabase('GET /api/marketplace/collections', (open) => {
  test('200: in the order of the operators, with how many each shows', async () => {
    const stand = await moderationStand(await open());
    const one = await stand.listed('glama', 'a/one');
    const save = (slug: string, position: number, listings: string[]) => {
      const body = { title: slug, description: '', position, listings, revision: '', reason: 'New.' };
      return stand.ask(stand.operator, 'collections.save', { params: { slug }, body });
    };
    assert.deepEqual((await stand.ask(null, 'collections.list', {})).body.items, []);
    await save('second', 2, []);
    await save('first', 1, [one]);
    const { items } = (await stand.ask(null, 'collections.list', {})).body;
    const brief = items.map(({ slug, count }: { slug: string; count: number }) => [slug, count]);
    assert.deepEqual(brief, [
      ['first', 1],
      ['second', 0],
    ]);
  });
});
