import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneDatabase } from '#test/databases.ts';
import { tasksStand } from '#test/tasks-stand.ts';

oneDatabase('running a task again', (open) => {
  test('202: the same capability, version, input, files and values; 409: its content has changed; 404: of another user', async () => {
    await using stand = await tasksStand(await open());
    const [as, other] = [await stand.newUser(), await stand.newUser()];
    const body = {
      title: 'Mine',
      capability: { kind: 'skill', ref: 'echo' },
      input: { text: 'x' },
      input_files: [{ path: 'a.txt', content_base64: 'YQ==' }],
      environment: { REGION: 'eu' },
    };
    const { id } = (await stand.ask(as, 'POST', '/api/agents/tasks', body)).body;
    const again = (user = as) => stand.ask(user, 'POST', `/api/agents/tasks/${id}/again`);
    const made = await again();
    assert.equal(made.status, 202);
    assert.notEqual(made.body.id, id);
    const done = await stand.until(as, made.body.id, ['completed']);
    const { title, input, output, capability, input_files } = done;
    assert.deepEqual(
      [title, input, output, capability, input_files],
      ['Mine', body.input, body.input, made.body.capability, [{ path: 'a.txt', size: 1, content_base64: 'YQ==' }]],
    );
    assert.equal((await again(other)).status, 404);
    stand.changeCapabilities();
    const changed = await again();
    assert.deepEqual([changed.status, changed.body.reason], [409, 'capability_changed']);
    assert.equal((await stand.ask(as, 'GET', '/api/agents/tasks')).body.total_count, 2);
  });
});
