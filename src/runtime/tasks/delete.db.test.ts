import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { tasksStand } from '#test/tasks-stand.ts';

eachDatabase('deleting a task', (open) => {
  test('200: deletes an ended task; 409: a running task; 404: another user’s task', async () => {
    await using stand = await tasksStand(await open());
    const [as, other] = [await stand.newUser(), await stand.newUser()];
    const id = await stand.start(as, 'echo', { text: 'x' });
    const done = await stand.until(as, id, ['completed']);
    assert.equal((await stand.ask(other, 'DELETE', `/api/agents/tasks/${id}`)).status, 404);
    assert.equal((await stand.ask(as, 'DELETE', `/api/agents/tasks/${id}`)).status, 200);
    assert.equal((await stand.ask(as, 'GET', `/api/agents/tasks/${id}`)).status, 404);
    assert.equal((await stand.ask(as, 'DELETE', `/api/agents/tasks/${id}`)).status, 404);
    assert.ok(done.receipt_id);
    const waiting = await stand.start(as, 'slow');
    const refused = await stand.ask(as, 'DELETE', `/api/agents/tasks/${waiting}`);
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.reason],
      [409, 'tasks.conflict', 'not_deletable'],
    );
    await stand.ask(as, 'PUT', `/api/agents/tasks/${waiting}`, { status: 'cancelled' });
  });

  test('409: more tasks than the limit, even when created concurrently; deleting one makes room', async () => {
    await using stand = await tasksStand(await open(), { kept_per_user: 3, idle: true });
    const as = await stand.newUser();
    const body = { capability: { kind: 'skill', ref: 'echo' }, input: { text: 'x' } };
    const make = () => stand.ask(as, 'POST', '/api/agents/tasks', body);
    const made = await Promise.all(Array.from({ length: 5 }, make));
    const refused = made.filter((answer) => answer.status !== 201);
    assert.deepEqual(
      refused.map((answer) => [answer.status, answer.body.code]),
      Array.from({ length: 2 }, () => [409, 'users.limit_exceeded']),
    );
    assert.match(`${refused[0]?.body.detail}`, /DELETE \/api\/agents\/tasks/);
    const kept = made.find((answer) => answer.status === 201);
    await stand.ask(as, 'DELETE', `/api/agents/tasks/${kept?.body.id}`);
    assert.equal((await make()).status, 201);
  });
});
