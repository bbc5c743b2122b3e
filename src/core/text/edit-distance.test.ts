import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editDistance } from './edit-distance.ts';

test('each inserted, removed or changed letter counts as one, in both directions', () => {
  for (const [a, b, distance] of [
    ['', '', 0],
    ['port', 'port', 0],
    ['', 'abc', 3],
    ['kitten', 'sitting', 3],
    ['CAPSTAN_SYNC_INTERVALL', 'CAPSTAN_SYNC_INTERVAL', 1],
  ] as const) {
    assert.equal(editDistance(a, b), distance, `${a} to ${b}`);
    assert.equal(editDistance(b, a), distance, `${b} to ${a}`);
  }
});
