import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { killTask } from '#test/kill-task.ts';

eachDatabase('kill -9 of a worker', (open) => {
  test('two kills lose no task and end none twice, and what was cut off is taken up again', async () => {
    const longest_ms = await killTask(await open(), 2, 500);
    assert.ok(longest_ms < 10_000);
  });
});
