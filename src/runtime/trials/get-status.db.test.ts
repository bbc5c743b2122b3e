import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { tasksStand } from '#test/tasks-stand.ts';
import { HOME, trialOf } from '#test/trials.ts';

eachDatabase('what can run without an account', (open) => {
  test('200: the runs left for this address, and none where they are turned off', async () => {
    const database = await open();
    await using stand = await tasksStand(database);
    const left = async (from: typeof stand, address = HOME) => {
      const { per_day, runs_left } = (await from.askFrom(address, 'GET', '/api/trials')).body;
      return [per_day, runs_left];
    };
    await stand.askFrom(HOME, 'POST', '/api/trials', trialOf('echo'));
    assert.deepEqual(
      [await left(stand), await left(stand, '198.51.100.1')],
      [
        [5, 4],
        [5, 5],
      ],
    );
    for (const trials of [
      { per_address: 0, per_day: 500 },
      { per_address: 5, per_day: 0 },
    ]) {
      await using off = await tasksStand(database, { trials, idle: true });
      assert.deepEqual(await left(off), [0, 0]);
    }
  });
});
