import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { killSync } from '#test/kill-sync.ts';

eachDatabase('a sync that is killed with kill -9', (open) => {
  test('leaves no partial or duplicate rows, and the next process completes the run', async () => {
    await killSync(await open('own'), 2);
  });
});
