import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { tasksStand } from '#test/tasks-stand.ts';
import { deleteOutputBefore } from './task-events.ts';

eachDatabase('deleting stored output of runs', (open) => {
  test('deletes old output in batches, and keeps status events', async () => {
    const { db, ...database } = await open();
    await using stand = await tasksStand({ db, ...database });
    const as = await stand.newUser();
    const id = await stand.start(as, 'echo', { text: 'hello' });
    await stand.until(as, id, ['completed']);
    const types = async () =>
      (await db.selectFrom('task_events').select('type').orderBy('seq').execute()).map(({ type }) => type);
    assert.deepEqual(await types(), ['status', 'status', 'output', 'status']);
    assert.equal(await deleteOutputBefore(db, '2020-01-01T00:00:00.000Z', 10), 0);
    assert.equal(await deleteOutputBefore(db, '2100-01-01T00:00:00.000Z', 10), 1);
    assert.deepEqual(await types(), ['status', 'status', 'status']);
  });
});
