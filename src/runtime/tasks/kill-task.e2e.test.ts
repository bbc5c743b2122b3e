import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { killTask } from '#test/kill-task.ts';

eachDatabase('kill -9 of a worker', (open) => {
  test('after two kills of the worker, every task ends exactly once and interrupted tasks resume', async () => {
    await killTask(await open('own'), 2, 500);
  });
});
