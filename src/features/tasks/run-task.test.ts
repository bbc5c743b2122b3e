import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { eachDatabase } from '../../../test/databases.ts';
import { tasksStand } from '../../../test/tasks-stand.ts';
import { isFinal, mayMove, TASK_STATES, type TaskState } from './states.ts';

const FINAL = ['completed', 'failed', 'cancelled', 'rejected'];

eachDatabase('working on tasks', (open) => {
  test('a worker that stops gives its task to the next one; what has no effect is begun again', async () => {
    await using stand = await tasksStand(await open());
    const as = await stand.newUser();
    const id = await stand.start(as, 'slow');
    while ((await stand.ask(as, 'GET', `/api/agents/tasks/${id}`)).body.status_reason !== 'running');
    await stand.restartWorker();
    while ((await stand.ask(as, 'GET', `/api/agents/tasks/${id}`)).body.attempt < 2);
    await stand.ask(as, 'PUT', `/api/agents/tasks/${id}`, { status: 'cancelled' });
    assert.deepEqual((await stand.until(as, id, FINAL)).status, 'cancelled');
  });

  test('what has an effect is not begun again: it failed as interrupted, and its receipt says so', async () => {
    const { db, ...database } = await open();
    await using stand = await tasksStand({ db, ...database });
    const as = await stand.newUser();
    const id = await stand.start(as, 'effect');
    while (!(await db.selectFrom('run_intents').select('digest').where('run_id', '=', id).executeTakeFirst()));
    await stand.restartWorker();
    const task = await stand.until(as, id, FINAL);
    assert.deepEqual([task.status, task.status_reason, task.attempt], ['failed', 'interrupted', 2]);
    const { envelope } = await db
      .selectFrom('receipts')
      .select('envelope')
      .where('run_id', '=', id)
      .executeTakeFirstOrThrow();
    const { predicate } = JSON.parse(Buffer.from(JSON.parse(envelope).payload, 'base64').toString());
    assert.deepEqual([predicate.status, predicate.attempt], ['interrupted', 1]);
  });

  test('a turn whose job was lost is carried on', async () => {
    const { db, ...database } = await open();
    await using stand = await tasksStand({ db, ...database }, { idle: true });
    const as = await stand.newUser();
    const id = await stand.start(as, 'echo', { text: '' });
    await db.deleteFrom('jobs').where('key', '=', id).execute();
    await db
      .insertInto('jobs')
      .values({
        ...{ id: 'sweep', kind: 'task_sweep', key: 'all', payload: 'null', run_at: '2026-01-01T00:00:00.000Z' },
        ...{ attempt: 0, failures: 0, leased_by: null, lease_until: null, last_error: null },
        created_at: '2026-01-01T00:00:00.000Z',
      })
      .execute();
    await stand.restartWorker();
    assert.equal((await stand.until(as, id, FINAL)).status, 'completed');
  });

  test('whatever is called in whatever order, no task makes a move that is not allowed, and each ends once', async () => {
    const { db, ...database } = await open();
    await using stand = await tasksStand({ db, ...database }, { at_work_per_user: 2 });
    const call = fc.constantFrom('start', 'cancel', 'edit', 'restart', 'look');
    const ref = fc.constantFrom('echo', 'slow', 'refused', 'model', 'effect');
    await fc.assert(
      fc.asyncProperty(ref, fc.array(call, { minLength: 1, maxLength: 6 }), async (ref, calls) => {
        const as = await stand.newUser();
        const body = { capability: { kind: 'skill', ref }, input: { text: '' } };
        const { id } = (await stand.ask(as, 'POST', '/api/agents/tasks', body)).body;
        const put = (change: unknown) => stand.ask(as, 'PUT', `/api/agents/tasks/${id}`, change);
        const does: Record<string, () => Promise<unknown>> = {
          start: () => stand.ask(as, 'POST', `/api/agents/tasks/${id}/start`),
          cancel: () => put({ status: 'cancelled' }),
          edit: () => put({ input: { text: 'b' } }),
          restart: () => stand.restartWorker(),
          look: () => stand.ask(as, 'GET', `/api/agents/tasks/${id}`),
        };
        await Promise.all(calls.map((name) => (does[name] as () => Promise<unknown>)()));
        await put({ status: 'cancelled' });
        await stand.until(as, id, FINAL);
        await checkMoves(await movesOf(id));
      }),
      { numRuns: 12 },
    );

    async function movesOf(id: string): Promise<TaskState[]> {
      const rows = await db.selectFrom('task_events').selectAll().where('task_id', '=', id).orderBy('seq').execute();
      return rows.filter(({ type }) => type === 'status').map(({ data }) => JSON.parse(data).status as TaskState);
    }
    async function checkMoves(states: TaskState[]) {
      let at: TaskState = 'submitted';
      for (const state of states) {
        assert.ok(at === state || mayMove(at, state), `${at} → ${state} in ${states.join(', ')}`);
        at = state;
      }
      assert.ok(isFinal(at));
      assert.equal(states.filter(isFinal).length, 1);
    }
  });
});

test('no state is left without a way to an end, and none leads out of an end', () => {
  const ends = TASK_STATES.filter(isFinal);
  assert.deepEqual(ends, ['completed', 'failed', 'cancelled', 'rejected']);
  for (const from of TASK_STATES) assert.ok(isFinal(from) || ends.some((to) => mayMove(from, to)), from);
});
