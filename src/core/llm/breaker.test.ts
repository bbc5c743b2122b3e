import assert from 'node:assert/strict';
import { test } from 'node:test';
import { breaker } from './breaker.ts';

const FAILED = { ok: false, wait_ms: null } as const;

test('a breaker rests after three failures in a row, then lets one try at a time, each rest twice as long', () => {
  let nowMs = 0;
  const rests = breaker({ now: () => nowMs, rest_ms: 1_000 });
  for (const outcome of [FAILED, FAILED, { ok: true } as const, FAILED, FAILED]) {
    assert.ok(rests.mayAsk());
    rests.ended(outcome);
  }
  assert.ok(rests.mayAsk());
  rests.ended(FAILED);
  assert.ok(!rests.mayAsk());
  nowMs = 1_000;
  assert.deepEqual([rests.mayAsk(), rests.mayAsk()], [true, false], 'one try at a time');
  rests.ended(FAILED);
  nowMs = 2_999;
  assert.ok(!rests.mayAsk());
  nowMs = 3_000;
  assert.ok(rests.mayAsk());
  rests.ended({ ok: true });
  assert.deepEqual([rests.mayAsk(), rests.mayAsk()], [true, true]);
});

test('a breaker rests for as long as the model asks, up to a limit', () => {
  let nowMs = 0;
  const rests = breaker({ now: () => nowMs, longest_ms: 60_000 });
  assert.ok(rests.mayAsk());
  rests.ended({ ok: false, wait_ms: 5_000 });
  nowMs = 4_999;
  assert.ok(!rests.mayAsk());
  nowMs = 5_000;
  assert.ok(rests.mayAsk());
  rests.ended({ ok: false, wait_ms: 1e9 });
  nowMs = 65_000;
  assert.ok(rests.mayAsk());
});
