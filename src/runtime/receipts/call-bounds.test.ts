import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callPlaces } from './call-bounds.ts';

test('a process has a limited number of open calls in all, and each that ends makes room for another', () => {
  const take = callPlaces();
  const leaves = Array.from({ length: 8_192 }, (_, n) => take(`u${n % 64}`));
  assert.throws(() => take('ada'), { code: 'http.unavailable', reason: 'tool_calls' });
  leaves[0]?.();
  take('ada');
  assert.throws(() => take('bob'), { code: 'http.unavailable' });
});
