import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { killSync } from '#test/kill-sync.ts';

eachDatabase('kill -9', (open) => {
  test('two kills in mid-sync leave no partial or doubled row, and each run is ended by the next process', async () => {
    const longest_ms = await killSync(await open(), 2);
    assert.ok(longest_ms < 60_000);
  });
});
