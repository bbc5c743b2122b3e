import assert from 'node:assert/strict';
import { test } from 'node:test';
import { removeExpired } from '#core/db/remove-expired.ts';
import { eachDatabase } from '#test/databases.ts';
import { tasksStand } from '#test/tasks-stand.ts';
import { removeEndedBefore } from './tasks.ts';

eachDatabase('tasks that ended long ago', (open) => {
  test('are deleted with their links; later and running ones stay, and so do links without an end', async () => {
    const database = await open();
    const { db } = database;
    await using stand = await tasksStand(database);
    const as = await stand.newUser();
    const [old, fresh] = [await stand.start(as, 'echo', { text: 'a' }), await stand.start(as, 'echo', { text: 'b' })];
    const running = await stand.start(as, 'slow');
    for (const id of [old, fresh]) await stand.until(as, id, ['completed']);
    const share = (id: string, body = {}) => stand.ask(as, 'POST', `/api/agents/tasks/${id}/shares`, body);
    await share(old);
    await share(fresh);
    await share(fresh, { expires_at: '2099-01-01T00:00:00Z' });
    await db.updateTable('tasks').set({ finished_at: '2026-01-01T00:00:00.000Z' }).where('id', '=', old).execute();
    assert.equal(await removeEndedBefore(db, '2026-01-02T00:00:00.000Z', 50), 1);
    const left = await db.selectFrom('tasks').select('id').execute();
    assert.deepEqual(left.map(({ id }) => id).sort(), [fresh, running].sort());
    assert.equal(await removeExpired(database, 'task_shares', Date.parse('2098-01-01'), 50), 0);
    assert.equal(await removeExpired(database, 'task_shares', Date.parse('2099-01-02'), 50), 1);
    const shares = await db.selectFrom('task_shares').select(['task_id', 'expires_at']).execute();
    assert.deepEqual(shares, [{ task_id: fresh, expires_at: null }]);
    await stand.ask(as, 'PUT', `/api/agents/tasks/${running}`, { status: 'cancelled' });
  });
});
