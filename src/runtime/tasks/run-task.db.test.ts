import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Kysely } from 'kysely';
import type { User } from '#accounts/users/users.ts';
import type { Schema } from '#core/db/schema.ts';
import { eachDatabase } from '#test/databases.ts';
import { type TasksStand, tasksStand } from '#test/tasks-stand.ts';
import { isFinal, mayMove, TASK_STATES, type TaskState } from './states.ts';

/** Status and attempt in the receipt of a task, whose intent must match the signed one. */
async function saidOf(db: Kysely<Schema>, runId: string) {
  const row = db.selectFrom('receipts').select('envelope').where('run_id', '=', runId);
  const { envelope } = await row.executeTakeFirstOrThrow();
  const { predicate } = JSON.parse(Buffer.from(JSON.parse(envelope).payload, 'base64').toString());
  const { status, attempt, intent } = predicate;
  const signed = db.selectFrom('run_intents').select('digest').where('run_id', '=', runId);
  assert.equal(intent.digest.sha256, (await signed.where('attempt', '=', attempt).executeTakeFirstOrThrow()).digest);
  return [status, attempt];
}

/** Makes failed jobs due at once, so that no test waits for a retry. */
function withoutPauses(db: Kysely<Schema>): () => void {
  const soon = { run_at: '2026-01-01T00:00:00.000Z' };
  const timer = setInterval(() => db.updateTable('jobs').set(soon).where('failures', '>', 0).execute(), 50);
  return () => clearInterval(timer);
}

const FINAL = ['completed', 'failed', 'cancelled', 'rejected'];

eachDatabase('working on tasks', (open) => {
  test('after a worker stops, the next one repeats a task without side effects', async () => {
    await using stand = await tasksStand(await open());
    const as = await stand.newUser();
    const id = await stand.start(as, 'slow');
    while ((await stand.ask(as, 'GET', `/api/agents/tasks/${id}`)).body.status_reason !== 'running');
    await stand.restartWorker();
    while ((await stand.ask(as, 'GET', `/api/agents/tasks/${id}`)).body.attempt < 2);
    await stand.ask(as, 'PUT', `/api/agents/tasks/${id}`, { status: 'cancelled' });
    assert.deepEqual((await stand.until(as, id, FINAL)).status, 'cancelled');
  });

  test('after a worker stops, a task with side effects fails as interrupted, and its receipt says the same', async () => {
    const { db, ...database } = await open();
    await using stand = await tasksStand({ db, ...database });
    const as = await stand.newUser();
    const id = await stand.start(as, 'effect');
    while (!(await db.selectFrom('run_intents').select('digest').where('run_id', '=', id).executeTakeFirst()));
    await stand.restartWorker();
    const task = await stand.until(as, id, FINAL);
    assert.deepEqual([task.status, task.status_reason, task.attempt], ['failed', 'interrupted', 2]);
    assert.deepEqual(await saidOf(db, id), ['interrupted', 1]);
  });

  test('does not repeat a task with side effects even if a second worker died before recording it', async () => {
    const { db, ...database } = await open();
    await using stand = await tasksStand({ db, ...database });
    const as = await stand.newUser();
    const id = await stand.start(as, 'effect');
    while (!(await db.selectFrom('run_intents').select('digest').where('run_id', '=', id).executeTakeFirst()));
    await db.updateTable('tasks').set({ attempt: 2 }).where('id', '=', id).execute();
    await stand.crashWorker();
    const task = await stand.until(as, id, FINAL);
    assert.deepEqual([task.status, task.status_reason, task.attempt], ['failed', 'interrupted', 3]);
    assert.deepEqual(await saidOf(db, id), ['interrupted', 1]);
  });

  for (const [what, status, meanwhile] of [
    ['changed', 'failed', async (stand, _as, _id) => stand.changeCapabilities()],
    [
      'cancelled',
      'cancelled',
      (stand, as, id) => stand.ask(as, 'PUT', `/api/agents/tasks/${id}`, { status: 'cancelled' }),
    ],
  ] as [string, string, (stand: TasksStand, as: User, id: string) => Promise<unknown>][])
    test(`an interrupted run gets a receipt even if the task was ${what} meanwhile`, async () => {
      const { db, ...database } = await open();
      await using stand = await tasksStand({ db, ...database });
      const as = await stand.newUser();
      const id = await stand.start(as, 'effect');
      while (!(await db.selectFrom('run_intents').select('digest').where('run_id', '=', id).executeTakeFirst()));
      await stand.crashWorker(() => meanwhile(stand, as, id));
      assert.equal((await stand.until(as, id, FINAL)).status, status);
      assert.deepEqual(await saidOf(db, id), ['interrupted', 1]);
    });

  test('a task that fails three times ends with a receipt, of a refusal if nothing ran', async () => {
    const { db, ...database } = await open();
    await using stand = await tasksStand({ db, ...database });
    const as = await stand.newUser();
    const [bug, broken] = [await stand.start(as, 'bug'), await stand.start(as, 'broken')];
    const stop = withoutPauses(db);
    const ends = await Promise.all([stand.until(as, bug, FINAL), stand.until(as, broken, FINAL)]);
    stop();
    assert.deepEqual(
      ends.map((end) => [end.status, end.status_reason, end.attempt, end.receipt_id !== null]),
      [
        ['failed', 'interrupted', 3, true],
        ['failed', 'internal', 3, true],
      ],
    );
    assert.deepEqual(await saidOf(db, bug), ['interrupted', 3]);
  });

  test('a task keeps retrying while the reason is temporary', async () => {
    const { db, ...database } = await open();
    await using stand = await tasksStand({ db, ...database });
    const as = await stand.newUser();
    const id = await stand.start(as, 'away');
    const stop = withoutPauses(db);
    while ((await stand.ask(as, 'GET', `/api/agents/tasks/${id}`)).body.attempt < 5);
    stop();
    await stand.ask(as, 'PUT', `/api/agents/tasks/${id}`, { status: 'cancelled' });
    assert.equal((await stand.until(as, id, FINAL)).receipt_id, null);
  });

  test('the sweep completes a task whose job was lost', async () => {
    const { db, ...database } = await open();
    await using stand = await tasksStand({ db, ...database }, { idle: true });
    const as = await stand.newUser();
    const id = await stand.start(as, 'echo', { text: '' });
    await db.deleteFrom('jobs').where('key', '=', id).execute();
    await db
      .insertInto('jobs')
      .values({
        id: 'sweep',
        kind: 'task_sweep',
        key: 'all',
        payload: 'null',
        run_at: '2026-01-01T00:00:00.000Z',
        attempt: 0,
        failures: 0,
        leased_by: null,
        lease_until: null,
        last_error: null,
        created_at: '2026-01-01T00:00:00.000Z',
      })
      .execute();
    await stand.restartWorker();
    assert.equal((await stand.until(as, id, FINAL)).status, 'completed');
  });

  test('random concurrent calls cause only allowed state changes, and each task ends once', async () => {
    const { db, ...database } = await open();
    await using stand = await tasksStand({ db, ...database }, { at_work_per_user: 2 });
    const call = fc.constantFrom('start', 'cancel', 'edit', 'restart', 'crash', 'look');
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
          crash: () => stand.crashWorker(),
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

test('every state has a way to a final state', () => {
  const ends = TASK_STATES.filter(isFinal);
  assert.deepEqual(ends, ['completed', 'failed', 'cancelled', 'rejected']);
  for (const from of TASK_STATES) assert.ok(isFinal(from) || ends.some((to) => mayMove(from, to)), from);
});
