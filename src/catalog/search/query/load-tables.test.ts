import assert from 'node:assert/strict';
import { test } from 'node:test';
import { turnsDuring } from '#test/turns.ts';
import { loadToolTables } from './load-tables.ts';

test('other requests are answered between the tables that a first search reads', async () => {
  const { turns } = await turnsDuring(loadToolTables);
  assert.ok(turns >= 3, `${turns} turns`);
});
