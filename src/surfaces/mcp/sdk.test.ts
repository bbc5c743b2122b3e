import assert from 'node:assert/strict';
import { test } from 'node:test';
import { turnsDuring } from '#test/turns.ts';
import { loadSdk } from './sdk.ts';

test('other requests are answered while the MCP library is loaded for the first message', async () => {
  const { turns, result } = await turnsDuring(loadSdk);
  assert.ok(turns >= 4, `${turns} turns`);
  assert.equal(result, await loadSdk());
});
