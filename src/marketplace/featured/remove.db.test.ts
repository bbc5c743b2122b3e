import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneDatabase } from '#test/databases.ts';
import { moderationStand } from '#test/moderation-stand.ts';

oneDatabase('DELETE /api/marketplace/featured/{id}', (open) => {
  test('200: the remaining entries; 404: an entry not added by an operator; 403: not an operator', async () => {
    const stand = await moderationStand(await open());
    const id = await stand.listed('glama', 'a/one');
    const remove = (as = stand.operator) => stand.ask(as, 'featured.remove', { params: { id } });
    assert.equal((await remove()).body.code, 'marketplace.not_found');
    await stand.ask(stand.operator, 'featured.add', { params: { id }, body: { reason: 'Good.' } });
    assert.equal((await remove(await stand.newPerson())).status, 403);
    assert.deepEqual(
      (await remove()).body.items.map((item: { id: string }) => item.id),
      ['skill/json-diff'],
    );
  });
});
