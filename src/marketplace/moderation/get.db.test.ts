import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneDatabase } from '#test/databases.ts';
import { moderationStand } from '#test/moderation-stand.ts';

oneDatabase('GET /api/marketplace/listings/{id}/moderation', (open) => {
  test('200: first clear, then active actions with role, time, reason, rule and appeal; 404: unknown id', async () => {
    const stand = await moderationStand(await open());
    const id = await stand.listed('glama', 'a/one');
    const clear = { id, status: 'clear', measures: [], history: [], revision: '' };
    assert.deepEqual(await stand.moderation(id), clear);
    await stand.decide(id, { decision: 'flag', kind: 'impersonation', reason: 'Not by Ana.' });
    const { status, measures, history, revision } = await stand.moderation(id);
    const [flag] = measures;
    assert.deepEqual(
      [status, flag.measure, flag.kind, flag.by, flag.reason],
      ['flagged', 'flag', 'impersonation', 'operator', 'Not by Ana.'],
    );
    assert.match(flag.rule, /No impersonation/);
    assert.match(flag.appeal.how, new RegExp(`POST /api/marketplace/listings/${id}/appeals`));
    assert.deepEqual([history[0].change, history[0].at, revision], ['flagged', flag.at, history[0].id]);
    assert.ok(!JSON.stringify(await stand.moderation(id)).includes(stand.operator.id), 'no operator is named');
    const none = await stand.ask(null, 'moderation.get', { params: { id: 'none' } });
    assert.deepEqual([none.status, none.body.code, none.body.reason], [404, 'marketplace.not_found', 'capability']);
  });
});
