import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { tasksStand } from '#test/tasks-stand.ts';
import { HOME, predicateOf, type TrialShown } from '#test/trials.ts';
import { until } from '#test/until.ts';

eachDatabase('the example', (open) => {
  test('200: null at first, then a run of the service that the request started, once a day', async () => {
    const { db, ...database } = await open();
    await using stand = await tasksStand({ db, ...database });
    const read = async () => (await stand.askFrom(HOME, 'GET', '/api/trials/example')).body.run as TrialShown | null;
    assert.equal(await read(), null);
    const shown = await until('the example', read);
    assert.deepEqual([shown.caller, shown.status, shown.output], ['service', 'completed', { text: 'hi' }]);
    assert.equal((await predicateOf(stand, shown.receipt_id)).caller.kind, 'service');
    await read();
    const { length } = await db.selectFrom('tasks').select('id').execute();
    assert.equal(length, 1);
    assert.deepEqual(await db.selectFrom('trial_days').selectAll().execute(), []);
  });
});
