import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneDatabase } from '#test/databases.ts';
import { moderationStand } from '#test/moderation-stand.ts';

oneDatabase('GET /api/marketplace/collections/{slug}', (open) => {
  test('200: without what is flagged, taken down or gone; 404: an unknown one', async () => {
    const stand = await moderationStand(await open());
    const listings = [];
    for (const name of ['one', 'two', 'three']) listings.push(await stand.listed('glama', `a/${name}`, { name }));
    const [one = '', two = '', three = ''] = listings;
    const body = { title: 'Numbers', description: '', listings, revision: '', reason: 'New.' };
    await stand.ask(stand.operator, 'collections.save', { params: { slug: 'numbers' }, body });
    const get = async () => (await stand.ask(null, 'collections.get', { params: { slug: 'numbers' } })).body;
    assert.deepEqual(
      (await get()).items.map(({ name }: { name: string }) => name),
      ['one', 'two', 'three'],
    );
    await stand.decide(one, { decision: 'takedown', kind: 'malware' });
    await stand.decide(three, { decision: 'flag', kind: 'spam' });
    const left = await get();
    assert.deepEqual([left.items.map(({ id }: { id: string }) => id), left.count], [[two], 1]);
    const unknown = await stand.ask(null, 'collections.get', { params: { slug: 'none' } });
    assert.deepEqual([unknown.status, unknown.body.code], [404, 'marketplace.not_found']);
  });
});
