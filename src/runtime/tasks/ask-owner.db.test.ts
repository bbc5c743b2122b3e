import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { User } from '#accounts/users/users.ts';
import { eachDatabase } from '#test/databases.ts';
import { type TasksStand, tasksStand } from '#test/tasks-stand.ts';
import { runTool, toolCall } from '#test/tool-calls.ts';
import { until } from '#test/until.ts';

const FINAL = ['completed', 'failed', 'cancelled', 'rejected'];
const SECRET = 'ab'.repeat(32);
const pathOf = (id: string) => `/api/agents/tasks/${id}`;
const statusOf = async (stand: TasksStand, as: User, id: string) => (await stand.ask(as, 'GET', pathOf(id))).body;
const asking = (stand: TasksStand, as: User, id: string) =>
  until('a question', async () => {
    const { body } = await stand.ask(as, 'GET', pathOf(id));
    return body.status === 'input_required' && body;
  });

eachDatabase('questions of servers to the owner of a task', (open) => {
  test('asked at one process and answered at another: the run continues with the answer', async () => {
    const database = await open();
    await using stand = await tasksStand(database, { secret: SECRET });
    await using elsewhere = await tasksStand(database, { secret: SECRET, idle: true });
    const [as, other] = [await stand.newUser(), await stand.newUser()];
    const id = await stand.start(as, 'asks');
    const task = await asking(stand, as, id);
    assert.equal(task.status_reason, 'server_asks');
    const { message, schema } = task.server_question as { message: string; schema: { required: string[] } };
    assert.deepEqual([message, schema.required], ['The server "harbours" asks: Which harbour?', ['harbour']]);
    const listed = async (status: string) =>
      (await stand.ask(as, 'GET', `/api/agents/tasks?status=${status}`)).body.total_count;
    assert.deepEqual([await listed('input_required'), await listed('working')], [1, 0]);
    const answer = (by: User, input: unknown) => elsewhere.ask(by, 'PUT', pathOf(id), { input });
    assert.equal((await answer(other, { action: 'accept', content: { harbour: 'Emden' } })).status, 404);
    const empty = await answer(as, { action: 'accept', content: { harbour: '' } });
    assert.deepEqual([empty.status, empty.body.code], [422, 'runs.input_invalid']);
    const [fault] = empty.body.errors as { pointer: string }[];
    assert.equal(fault?.pointer, '/input/content/harbour');
    for (const wrong of ['Emden', { harbour: 'Emden' }, { action: 'accept', more: 1 }])
      assert.equal((await answer(as, wrong)).status, 422, JSON.stringify(wrong));
    const given = await answer(as, { action: 'accept', content: { harbour: 'Emden' } });
    assert.deepEqual([given.status, given.body.status], [200, 'working'], given.text);
    const { status, output } = await stand.until(as, id, FINAL);
    assert.deepEqual([status, output], ['completed', { harbour: 'Emden' }]);
    const left = await database.db.selectFrom('server_questions').selectAll().execute();
    assert.deepEqual(left, [], 'the answer is not kept');
    const moves = (await stand.ask(as, 'GET', `${pathOf(id)}/events?follow=false`)).text.match(/"status":"\w+"/g);
    assert.deepEqual(
      moves?.slice(-4).join(),
      '"status":"working","status":"input_required","status":"working","status":"completed"',
    );
  });

  test('declining and cancelling: the server hears it, and a cancelled task ends with its question', async () => {
    await using stand = await tasksStand(await open());
    const as = await stand.newUser();
    for (const [input, action] of [
      [{ action: 'decline' }, 'decline'],
      ['no', 'decline'],
      [{ action: 'cancel' }, 'cancel'],
    ] as const) {
      const id = await stand.start(as, 'asks');
      await asking(stand, as, id);
      assert.equal((await stand.ask(as, 'PUT', pathOf(id), { input })).status, 200);
      assert.deepEqual((await stand.until(as, id, FINAL)).output, { action, stderr: '' });
    }
    const id = await stand.start(as, 'asks');
    await asking(stand, as, id);
    assert.equal((await stand.ask(as, 'DELETE', pathOf(id))).status, 409);
    assert.equal((await stand.ask(as, 'POST', `${pathOf(id)}/start`)).status, 409);
    await stand.ask(as, 'PUT', pathOf(id), { status: 'cancelled' });
    const ended = await stand.until(as, id, FINAL);
    assert.deepEqual([ended.status, ended.server_question], ['cancelled', null]);
    const late = await stand.ask(as, 'PUT', pathOf(id), { input: { action: 'decline' } });
    assert.deepEqual([late.status, late.body.code], [409, 'tasks.conflict']);
  });

  test('the questions of one user take a quarter of the places, and others are still asked', async () => {
    await using stand = await tasksStand(await open(), { at_work_per_user: 5 });
    const [as, other] = [await stand.newUser(), await stand.newUser()];
    for (let count = 0; count < 4; count++) await asking(stand, as, await stand.start(as, 'asks'));
    const { output } = await stand.until(as, await stand.start(as, 'asks'), FINAL);
    assert.match(JSON.stringify(output), /Nobody was asked, because too many runs already wait/);
    await asking(stand, other, await stand.start(other, 'asks'));
  });

  test('when its worker dies, the question is gone, and the run is not repeated', async () => {
    await using stand = await tasksStand(await open());
    const as = await stand.newUser();
    const id = await stand.start(as, 'asks');
    await asking(stand, as, id);
    await stand.crashWorker();
    const { status, status_reason, server_question } = await stand.until(as, id, FINAL);
    assert.deepEqual([status, status_reason, server_question], ['failed', 'interrupted', null]);
  });

  test('task_start asks the person at the client; a model does not answer alone', async () => {
    await using stand = await tasksStand(await open());
    const as = await stand.newUser();
    const id = await stand.start(as, 'asks');
    await asking(stand, as, id);
    const input = { action: 'accept', content: { harbour: 'Emden' } };
    const alone = runTool(stand.tools, 'task_start', { id, input }, toolCall(as.id));
    await assert.rejects(alone, { code: 'tasks.conflict', reason: 'person_required' });
    const shown = await runTool(stand.tools, 'task_start', { id }, toolCall(as.id));
    assert.equal(shown.structured.status, 'input_required');
    assert.match(shown.text, /A server asks: "The server .*Which harbour/);
    let asked: Record<string, unknown> = {};
    const client = toolCall(as.id, {
      can: () => true,
      ask: async (asks) => {
        const [[name, { params }] = assert.fail()] = Object.entries(asks);
        asked = params;
        return { [name]: { action: 'accept', content: { harbour: 'Husum' } } };
      },
    });
    const done = await runTool(stand.tools, 'task_start', { id, input, wait_ms: 10_000 }, client);
    assert.match(`${asked.message}`, /Which harbour/);
    assert.deepEqual([done.structured.status, done.structured.output], ['completed', { harbour: 'Husum' }]);
    assert.equal((await statusOf(stand, as, id)).status, 'completed');
  });
});
