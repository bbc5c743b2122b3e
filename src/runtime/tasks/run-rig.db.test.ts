import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneDatabase } from '#test/databases.ts';
import { tasksStand } from '#test/tasks-stand.ts';
import { runTool, toolCall } from '#test/tool-calls.ts';

oneDatabase('running a rig', (open) => {
  test('202: starts a task of kind rig; 404, 410, 422 and 429 store nothing', async () => {
    await using stand = await tasksStand(await open(), { idle: true, queue_per_user: 1 });
    const as = await stand.newUser();
    const run = async (rig: string, body: object) => stand.ask(as, 'POST', `/api/rigs/${rig}/run`, body);
    assert.equal((await run('none', {})).status, 404);
    assert.equal((await run('echo', { version: '9.9.9' })).status, 410);
    assert.equal((await run('echo', {})).body.code, 'runs.input_invalid');
    const { status, body, headers } = await run('echo', { input: { text: 'hi' }, title: 'Say hi' });
    assert.deepEqual([status, headers.get('location')], [202, `/api/agents/tasks/${body.id}`]);
    const { kind, ref } = body.capability as { kind: string; ref: string };
    assert.deepEqual([kind, ref, body.status, body.title], ['rig', 'echo', 'working', 'Say hi']);
    assert.equal((await run('echo', { input: { text: 'two' } })).body.code, 'tasks.queue_limit_exceeded');
    const call = runTool(stand.tools, 'task_run', { ref: 'echo', input: { text: 'three' } }, toolCall(as.id));
    await assert.rejects(call, { code: 'tasks.queue_limit_exceeded' });
    const { items = [] } = (await stand.ask(as, 'GET', '/api/agents/tasks')).body;
    assert.deepEqual(
      items.map((item) => item.status),
      ['working'],
    );
  });
});
