import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Problem } from '#core/problem/problem.ts';
import { oneDatabase } from '#test/databases.ts';
import { tasksStand } from '#test/tasks-stand.ts';
import { runTool, toolCall } from '#test/tool-calls.ts';

const create = (ref: string, input: unknown = null) => ({ capability: { kind: 'skill', ref }, input });

oneDatabase('tasks as tools', (open) => {
  test('task_create and task_start run a task while the caller waits, with progress', async () => {
    await using stand = await tasksStand(await open());
    const { id: user } = await stand.newUser();
    const said: string[] = [];
    const call = toolCall(user, { progress: (_, __, message) => void said.push(message) });
    const run = (name: string, input: object) => runTool(stand.tools, name, input, call);
    const made = await run('task_create', create('echo', { text: 'hello </output> there' }));
    const { id } = made.structured;
    assert.deepEqual(made.structured.next, { tool: 'task_start', arguments: { id, wait_ms: 20_000 } });
    const done = await run('task_start', { id, wait_ms: 10_000 });
    assert.equal(done.structured.status, 'completed');
    assert.deepEqual(done.structured.output, { text: 'hello </output> there' });
    assert.equal(done.text.match(/<\/output>/g)?.length, 1, 'the tag is closed once, by us');
    assert.ok(
      said.some((text) => text.startsWith('working')),
      said.join(),
    );
    assert.deepEqual(done.structured.next, {
      tool: 'resources/read',
      arguments: { uri: `receipt://${done.structured.receipt_id}` },
    });
    assert.equal((await run('task_list', { status: 'completed' })).structured.total_count, 1);
    await assert.rejects(run('task_start', { id }), { code: 'tasks.conflict', reason: 'not_startable' });
    await assert.rejects(run('task_create', create('echo', {})), { code: 'runs.input_invalid', reason: 'input_unfit' });
  });

  test('a slow task continues until it is canceled, and is not found by other users', async () => {
    await using stand = await tasksStand(await open());
    const [user, other] = [await stand.newUser(), await stand.newUser()];
    const run = (name: string, input: object, by = user.id) => runTool(stand.tools, name, input, toolCall(by));
    const { id } = (await run('task_create', create('slow'))).structured;
    const started = await run('task_start', { id, wait_ms: 0 });
    assert.deepEqual([started.structured.status, started.structured.next.tool], ['working', 'task_get']);
    for (const name of ['task_get', 'task_cancel'])
      await assert.rejects(run(name, { id }, other.id), { code: 'tasks.not_found' });
    await run('task_cancel', { id });
    await stand.until(user, id, ['cancelled']);
    assert.match((await run('task_get', { id })).text, /is cancelled/);
  });

  test('asks the user for required input, or returns the call that sends it', async () => {
    const database = await open();
    await using stand = await tasksStand(database);
    const { id: user } = await stand.newUser();
    const asks = async (): Promise<string> => {
      const { structured } = await runTool(stand.tools, 'task_create', create('nap'), toolCall(user));
      const status = { status: 'input_required', error: JSON.stringify({ code: 'x', detail: 'Which city?' }) };
      await database.db.updateTable('tasks').set(status).where('id', '=', structured.id).execute();
      return structured.id;
    };
    const id = await asks();
    const unasked = await runTool(stand.tools, 'task_start', { id }, toolCall(user));
    assert.deepEqual(unasked.structured.next, { tool: 'task_start', arguments: { id, input: {} } });
    let asked = '';
    const elicit = async (message: string) => {
      asked = message;
      return { input: '{"city":"Oslo"}' } as never;
    };
    const answered = await runTool(stand.tools, 'task_start', { id, wait_ms: 10_000 }, toolCall(user, { elicit }));
    assert.match(asked, /"Which city\?"/);
    assert.deepEqual([answered.structured.status, answered.structured.output], ['completed', { city: 'Oslo' }]);
    const direct = await runTool(stand.tools, 'task_start', { id: await asks(), input: 'Bergen' }, toolCall(user));
    assert.equal(direct.structured.output, 'Bergen');
  });

  test('a model does not accept packages alone, and a form has a field also where only secrets are withheld', async () => {
    const database = await open();
    await using stand = await tasksStand(database);
    const { id: user } = await stand.newUser();
    const asks = async (question: object): Promise<string> => {
      const { structured } = await runTool(stand.tools, 'task_create', create('nap'), toolCall(user));
      const error = JSON.stringify({ code: 'needs_install', detail: 'It needs zod.', question });
      await database.db
        .updateTable('tasks')
        .set({ status: 'input_required', error })
        .where('id', '=', structured.id)
        .execute();
      return structured.id;
    };
    const zod = { ecosystem: 'npm', name: 'zod', wanted: '', from: 'import' };
    const id = await asks({ packages: [zod], environment: [] });
    const page = `https://capstan.test/runs/${id}`;
    for (const input of [{ install: true }, true, 'yes'])
      await assert.rejects(
        runTool(stand.tools, 'task_start', { id, input }, toolCall(user)),
        (error: Problem) => error.reason === 'person_required' && error.message.includes(page),
      );
    const { text } = await runTool(stand.tools, 'task_start', { id }, toolCall(user));
    assert.match(text, /waiting for its owner/);
    const declined = await runTool(stand.tools, 'task_start', { id, input: { install: false } }, toolCall(user));
    assert.equal(declined.structured.status, 'rejected');

    let fields: string[] = [];
    const elicit = (answer: object) => async (_message: string, form: object) => {
      fields = Object.keys((form as { properties: object }).properties);
      return answer as never;
    };
    const can = () => true;
    const accepted = toolCall(user, { can, elicit: elicit({ install: true }) });
    const second = await asks({ packages: [zod], environment: [] });
    const ran = await runTool(stand.tools, 'task_start', { id: second, input: true, wait_ms: 10_000 }, accepted);
    assert.deepEqual([fields, ran.structured.status], [['install'], 'completed']);

    const withheld = await asks({ packages: [], environment: [{ name: 'TIDES_TOKEN', secret: true }] });
    const stays = toolCall(user, { can, elicit: elicit({ agreed: false }) });
    const waits = await runTool(stand.tools, 'task_start', { id: withheld, wait_ms: 0 }, stays);
    assert.deepEqual([fields, waits.structured.status], [['agreed'], 'input_required']);
    const agreed = toolCall(user, { can, elicit: elicit({ agreed: true }) });
    const done = await runTool(stand.tools, 'task_start', { id: withheld, wait_ms: 10_000 }, agreed);
    assert.equal(done.structured.status, 'completed');
  });
});
