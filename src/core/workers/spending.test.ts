import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSpending } from './spending.ts';

test("a share's spending decays at the rate of its budget", () => {
  let nowMs = 0;
  const spending = createSpending({ budget_ms_per_minute: 6_000, now: () => nowMs });
  spending.add('a', 5_000);
  assert.equal(spending.waitOf('a'), 0);
  spending.add('a', 4_000);
  assert.equal(spending.waitOf('a'), 30);
  assert.equal(spending.of('b'), 0);
  nowMs = 30_000;
  assert.equal(spending.waitOf('a'), 0);
  assert.equal(spending.of('a'), 6_000);
  nowMs = 90_000;
  assert.equal(spending.of('a'), 0);
});

test('a share counts as slow for a minute after any spending', () => {
  let nowMs = 0;
  const spending = createSpending({ budget_ms_per_minute: 6_000, now: () => nowMs });
  assert.ok(!spending.isSlow('a'));
  spending.add('a', 60);
  nowMs = 59_000;
  assert.ok(spending.isSlow('a'));
  nowMs = 60_000;
  assert.ok(!spending.isSlow('a'));
});
