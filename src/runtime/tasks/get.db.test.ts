import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { tasksStand } from '#test/tasks-stand.ts';

eachDatabase('getting a task', (open) => {
  test('404: every operation on an unknown id or another user’s task', async () => {
    await using stand = await tasksStand(await open(), { idle: true });
    const [as, other] = [await stand.newUser(), await stand.newUser()];
    const id = await stand.start(other, 'slow');
    for (const [method, path, body] of [
      ['GET', ''],
      ['PUT', '', { status: 'cancelled' }],
      ['POST', '/start'],
      ['GET', '/trace'],
      ['GET', '/events'],
    ] as const)
      for (const one of [id, '019a8c1e-7f00-7000-8000-3b1f6f4f9a11', 'x']) {
        const answer = await stand.ask(as, method, `/api/agents/tasks/${one}${path}`, body);
        assert.deepEqual([answer.status, answer.body.code], [404, 'tasks.not_found'], `${method} ${path} ${one}`);
      }
  });
});
