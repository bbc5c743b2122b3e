import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneDatabase } from '#test/databases.ts';
import { moderationStand } from '#test/moderation-stand.ts';

oneDatabase('GET /api/marketplace/appeals', (open) => {
  test('200: all appeals for operators, their own for other users, with outcomes', async () => {
    const stand = await moderationStand(await open());
    const [ana, bob] = [await stand.newPerson(), await stand.newPerson()];
    const id = await stand.published(ana, { name: 'ana-lang/words' });
    await stand.capability('capstan', id, id);
    const { moderation } = (await stand.decide(id, { decision: 'flag', kind: 'broken' })).body;
    const measure_id = moderation.measures[0].id;
    await stand.ask(ana, 'moderation.appeal', { params: { id }, body: { measure_id, text: 'It works.' } });
    await stand.decide(id, { decision: 'uphold', measure_id, reason: 'It fails on empty texts.' });
    const list = async (as: typeof ana, status?: string) =>
      (await stand.ask(as, 'moderation.listAppeals', { query: { status, limit: 50, offset: 0 } })).body.items;
    const [own] = await list(ana);
    assert.deepEqual([own.status, own.outcome, own.text], ['upheld', 'It fails on empty texts.', 'It works.']);
    assert.deepEqual([(await list(bob)).length, (await list(stand.operator)).length], [0, 1]);
    assert.deepEqual(await list(stand.operator, 'open'), []);
    assert.equal((await stand.moderation(id)).measures[0].appeal.status, 'upheld');
  });
});
