import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneDatabase } from '#test/databases.ts';
import { moderationStand } from '#test/moderation-stand.ts';

oneDatabase('POST /api/marketplace/listings/{id}/reports', (open) => {
  test('201: a report; 409: a second one by the same user; 404: unknown listing; 429: more than 20 reports', async () => {
    const stand = await moderationStand(await open());
    const [ana, bob] = [await stand.newPerson(), await stand.newPerson()];
    const id = await stand.listed('glama', 'a/words');
    const merged = await stand.listed('smithery', '@a/words', {}, id);
    const body = { kind: 'malware', text: 'It reads ~/.ssh.' };
    const report = (as: typeof ana, of: string) => stand.ask(as, 'moderation.report', { params: { id: of }, body });
    const made = await report(ana, merged);
    assert.deepEqual(
      [made.status, made.body.status, made.body.capability_id, made.body.about],
      [201, 'open', merged, 'listing'],
    );
    const again = await report(ana, id);
    assert.deepEqual(
      [again.status, again.body.code, again.body.report_id],
      [409, 'marketplace.moderation_conflict', made.body.id],
    );
    assert.equal((await report(bob, id)).status, 201);
    assert.equal((await report(bob, 'nobody')).body.code, 'marketplace.not_found');
    for (let count = 1; count < 20; count++)
      assert.equal((await report(bob, await stand.listed('glama', `b/${count}`))).status, 201);
    const over = await report(bob, await stand.listed('glama', 'b/20'));
    assert.deepEqual([over.status, over.body.code, over.body.reason], [429, 'marketplace.limit_exceeded', 'reports']);
  });
});
