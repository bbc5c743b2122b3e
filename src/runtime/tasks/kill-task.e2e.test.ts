import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { killTask } from '#test/kill-task.ts';

eachDatabase('kill -9 of a worker', (open) => {
  test('two kills lose no task and end none twice, and what was cut off is taken up again', async () => {
    await killTask(await open(), 2, 500);
  });
});
