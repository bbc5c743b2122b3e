import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSpending } from './spending.ts';

test('spending decays at the rate of the budget', () => {
  let now_ms = 0;
  const spending = createSpending({ budget_ms_per_minute: 6_000, now: () => now_ms });
  spending.add('a', 5_000);
  assert.equal(spending.waitOf('a'), 0);
  spending.add('a', 4_000);
  assert.equal(spending.waitOf('a'), 30);
  assert.equal(spending.of('b'), 0);
  now_ms = 30_000;
  assert.equal(spending.waitOf('a'), 0);
  assert.equal(spending.of('a'), 6_000);
  now_ms = 90_000;
  assert.equal(spending.of('a'), 0);
});

test('a share counts as slow for a minute, however little it used', () => {
  let now_ms = 0;
  const spending = createSpending({ budget_ms_per_minute: 6_000, now: () => now_ms });
  assert.ok(!spending.isSlow('a'));
  spending.add('a', 60);
  now_ms = 59_000;
  assert.ok(spending.isSlow('a'));
  now_ms = 60_000;
  assert.ok(!spending.isSlow('a'));
});
