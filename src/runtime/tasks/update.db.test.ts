import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { tasksStand } from '#test/tasks-stand.ts';
import { until } from '#test/until.ts';

eachDatabase('changing a task', (open) => {
  test('200: changes title, input and files of a submitted task, and keeps omitted fields', async () => {
    await using stand = await tasksStand(await open());
    const as = await stand.newUser();
    const body = { capability: { kind: 'skill', ref: 'echo' }, input: { text: 'a' } };
    const { id } = (await stand.ask(as, 'POST', '/api/agents/tasks', body)).body;
    const put = (change: unknown) => stand.ask(as, 'PUT', `/api/agents/tasks/${id}`, change);
    assert.equal((await put({ title: 'Mine' })).body.title, 'Mine');
    const input_files = [{ path: 'dir/a.txt', content_base64: 'aGk=' }];
    const changed = (await put({ input: { text: 'b' }, input_files })).body;
    assert.deepEqual([changed.title, changed.input], ['Mine', { text: 'b' }]);
    assert.deepEqual(changed.input_files, [{ path: 'dir/a.txt', size: 2, content_base64: 'aGk=' }]);
    assert.deepEqual(
      [(await put({ input: {} })).status, (await put({})).status, (await put({ x: 1 })).status],
      [422, 400, 400],
    );
    await stand.ask(as, 'POST', `/api/agents/tasks/${id}/start`);
    assert.deepEqual((await stand.until(as, id, ['completed'])).output, { text: 'b' });
    const late = await put({ title: 'Late' });
    assert.deepEqual([late.status, late.body.code, late.body.reason], [409, 'tasks.conflict', 'not_changeable']);
  });

  test('cancels a submitted or running task; 200 if already canceled, 409 if completed', async () => {
    await using stand = await tasksStand(await open());
    const as = await stand.newUser();
    const cancel = (id: string) => stand.ask(as, 'PUT', `/api/agents/tasks/${id}`, { status: 'cancelled' });
    const { id } = (await stand.ask(as, 'POST', '/api/agents/tasks', { capability: { kind: 'skill', ref: 'slow' } }))
      .body;
    assert.equal((await cancel(id)).body.status, 'cancelled');
    assert.deepEqual([(await cancel(id)).status, (await cancel(id)).body.status], [200, 'cancelled']);

    const running = await stand.start(as, 'slow');
    const shown = async () => (await stand.ask(as, 'GET', `/api/agents/tasks/${running}`)).body;
    await until('a run', async () => (await shown()).status_reason === 'running');
    await cancel(running);
    const ended = await stand.until(as, running, ['cancelled']);
    assert.ok(ended.receipt_id !== null, 'what ran has a receipt, however it ended');

    const done = await stand.start(as, 'echo', { text: '' });
    await stand.until(as, done, ['completed']);
    assert.equal((await cancel(done)).status, 409);
  });

  test('cancels a failed task that waits for a retry', async () => {
    const { db, ...database } = await open();
    await using stand = await tasksStand({ db, ...database });
    const as = await stand.newUser();
    const failedOnce = (id: string) =>
      db.selectFrom('jobs').select('id').where('key', '=', id).where('failures', '=', 1).executeTakeFirst();
    const id = await stand.start(as, 'broken');
    await until('the first failure', () => failedOnce(id));
    // The next try is far in the future.
    await db.updateTable('jobs').set({ run_at: '2100-01-01T00:00:00.000Z' }).where('key', '=', id).execute();
    await stand.ask(as, 'PUT', `/api/agents/tasks/${id}`, { status: 'cancelled' });
    await stand.until(as, id, ['cancelled']);
  });
});
