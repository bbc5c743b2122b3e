import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneDatabase } from '#test/databases.ts';
import { moderationStand } from '#test/moderation-stand.ts';

oneDatabase('PUT /api/operator/collections/{slug}', (open) => {
  test('200: created, reordered; 409: the second of two operators; 400: an unknown listing', async () => {
    const stand = await moderationStand(await open());
    const { operator } = stand;
    const [one, two] = [await stand.listed('glama', 'a/one'), await stand.listed('glama', 'a/two')];
    const merged = await stand.listed('docker', 'one', {}, one);
    const body = {
      title: 'Documents',
      description: 'For files.',
      listings: [one, merged, two],
      revision: '',
      reason: 'New.',
    };
    const put = (more: object = {}, slug = 'documents') =>
      stand.ask(operator, 'collections.save', { params: { slug }, body: { ...body, ...more } });
    const ids = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id);
    const made = await put();
    // Listings of one capability are one entry.
    assert.deepEqual([made.status, ids(made.body), made.body.position], [200, [one, two], 100]);
    const again = await put();
    assert.deepEqual(
      [again.status, again.body.code, again.body.reason],
      [409, 'marketplace.collection_conflict', 'exists'],
    );
    const { revision } = made.body;
    const moved = await put({ listings: [two, one], position: 3, revision });
    assert.deepEqual([ids(moved.body), moved.body.position], [[two, one], 3]);
    const both = await Promise.all([
      put({ title: 'A', revision: moved.body.revision }),
      put({ title: 'B', revision: moved.body.revision }),
    ]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409]);
    const unknown = await put({ listings: [one, 'nobody/nothing'] }, 'other');
    assert.deepEqual([unknown.status, unknown.body.errors[0].pointer], [400, '/listings/1']);
    const empty = await put({ listings: [] }, 'empty');
    assert.deepEqual([empty.status, empty.body.items], [200, []]);
  });
});
