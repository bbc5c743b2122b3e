import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneDatabase } from '#test/databases.ts';
import { moderationStand } from '#test/moderation-stand.ts';

oneDatabase('GET /api/marketplace/reports/{id}', (open) => {
  test('200: the reporter and operators; 404: other users, and unknown reports', async () => {
    const stand = await moderationStand(await open());
    const [ana, bob] = [await stand.newPerson(), await stand.newPerson()];
    const id = await stand.listed('glama', 'a/one');
    const made = await stand.ask(ana, 'moderation.report', { params: { id }, body: { kind: 'spam', text: 'Ads.' } });
    const get = (as: typeof ana, of = made.body.id) => stand.ask(as, 'moderation.getReport', { params: { id: of } });
    assert.deepEqual((await get(ana)).body, made.body);
    assert.equal((await get(stand.operator)).status, 200);
    assert.equal((await get(bob)).body.code, 'marketplace.not_found');
    assert.equal((await get(ana, 'none\0')).status, 404);
  });
});
