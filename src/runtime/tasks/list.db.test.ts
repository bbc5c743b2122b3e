import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { tasksStand } from '#test/tasks-stand.ts';

eachDatabase('listing tasks', (open) => {
  test('200: the caller’s own tasks, newest first, by page and status', async () => {
    await using stand = await tasksStand(await open(), { idle: true });
    const [as, other] = [await stand.newUser(), await stand.newUser()];
    const ids: string[] = [];
    for (const input of [1, 2, 3]) {
      const body = { capability: { kind: 'skill', ref: 'slow' }, input };
      ids.unshift((await stand.ask(as, 'POST', '/api/agents/tasks', body)).body.id);
    }
    await stand.start(other, 'slow');
    await stand.ask(as, 'POST', `/api/agents/tasks/${ids[1]}/start`);
    const list = async (query: string) => (await stand.ask(as, 'GET', `/api/agents/tasks${query}`)).body;
    const all = await list('');
    assert.deepEqual([all.total_count, all.items?.map((item) => item.id)], [3, ids]);
    assert.ok(all.items?.every((item) => !('receipt_key' in item) && !('input' in item) && !('output_files' in item)));
    assert.deepEqual(
      (await list('?status=working')).items?.map((item) => item.id),
      [ids[1]],
    );
    const page = await stand.ask(as, 'GET', '/api/agents/tasks?status=submitted&limit=1');
    assert.equal(page.body.total_count, 2);
    assert.match(page.headers.get('link') ?? '', /status=submitted&limit=1&offset=1>; rel="next"/);
    assert.equal((await stand.ask(as, 'GET', '/api/agents/tasks?status=done')).status, 400);
  });
});
