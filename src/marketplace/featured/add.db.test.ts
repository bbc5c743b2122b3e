import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneDatabase } from '#test/databases.ts';
import { moderationStand } from '#test/moderation-stand.ts';

oneDatabase('PUT /api/marketplace/featured/{id}', (open) => {
  test('200: sorted by position until expiry; 403: not an operator; 404: unknown; 409: flagged; 400: past time', async () => {
    const stand = await moderationStand(await open());
    const { clock, operator } = stand;
    const [one, two] = [await stand.listed('glama', 'a/one'), await stand.listed('glama', 'a/two')];
    const put = (id: string, body: object = {}, as = operator) =>
      stand.ask(as, 'featured.add', { params: { id }, body: { reason: 'Good.', ...body } });
    const until = new Date(clock.ms + 60_000).toISOString();
    const done = await put(one, { until });
    assert.deepEqual(
      [done.status, done.body.id, done.body.reason.text, done.body.reason.until],
      [200, one, 'Good.', until],
    );
    await put(two, { position: 1, reason: 'Better.' });
    const ids = async () => (await stand.ask(null, 'featured.list', {})).body.items.map(({ id }: { id: string }) => id);
    assert.deepEqual((await ids()).slice(0, 2), [two, one]);
    clock.ms += 60_000;
    assert.deepEqual((await ids()).slice(0, 2), [two, 'skill/json-diff']);
    assert.equal((await put(one, { until })).body.code, 'http.invalid');
    assert.equal((await put(one, {}, await stand.newPerson())).body.code, 'marketplace.operator_required');
    assert.equal((await put('none')).body.code, 'marketplace.not_found');
    await stand.decide(one, { decision: 'flag', kind: 'spam' });
    assert.equal((await put(one)).body.code, 'marketplace.moderation_conflict');
    await stand.decide(two, { decision: 'takedown', kind: 'malware' });
    assert.deepEqual(await ids(), ['skill/json-diff']);
  });
});
