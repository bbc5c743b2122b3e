import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneDatabase } from '#test/databases.ts';
import { moderationStand } from '#test/moderation-stand.ts';

oneDatabase('GET /api/marketplace/reports', (open) => {
  test('200: all reports for operators, their own for other users, without the reporter’s id', async () => {
    const stand = await moderationStand(await open());
    const [ana, bob] = [await stand.newPerson(), await stand.newPerson()];
    const [one, two] = [await stand.listed('glama', 'a/one'), await stand.listed('glama', 'a/two')];
    for (const [as, id, kind] of [
      [ana, one, 'spam'],
      [bob, two, 'broken'],
      [ana, two, 'secrets'],
    ] as const)
      await stand.ask(as, 'moderation.report', { params: { id }, body: { kind, text: 'See it.' } });
    const list = async (as: typeof ana, query: object = {}) =>
      stand.ask(as, 'moderation.listReports', { query: { limit: 50, offset: 0, ...query } });
    const kinds = (answer: Awaited<ReturnType<typeof list>>) =>
      answer.body.items.map(({ kind }: { kind: string }) => kind);
    const all = await list(stand.operator);
    assert.deepEqual([kinds(all), all.body.total_count], [['spam', 'broken', 'secrets'], 3]);
    assert.ok(!JSON.stringify(all.body).includes(ana.id));
    assert.deepEqual(kinds(await list(ana)), ['spam', 'secrets']);
    assert.deepEqual(kinds(await list(stand.operator, { capability_id: two, kind: 'broken' })), ['broken']);
    assert.match(
      (await list(stand.operator, { limit: 1, status: 'open' })).headers.link ?? '',
      /status=open&limit=1&offset=1/,
    );
    await stand.decide(two, { decision: 'dismiss', reason: 'It works here.' });
    assert.deepEqual(kinds(await list(stand.operator, { status: 'open' })), ['spam']);
    const [, own] = (await list(ana)).body.items;
    assert.deepEqual([own.status, own.outcome], ['dismissed', 'It works here.']);
  });
});
