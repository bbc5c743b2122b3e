import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resourceFacts } from './box-facts.ts';

test('a receipt states the usage of a box in whole numbers, and nothing of a box that was not measured', () => {
  assert.deepEqual(resourceFacts({ cpu_ms: 12.4, memory_bytes: 7.6, processes: 2 }), {
    cpu_ms: 12,
    memory_bytes: 8,
    processes: 2,
  });
  assert.equal(resourceFacts({ cpu_ms: null, memory_bytes: null, processes: null }), undefined);
});
