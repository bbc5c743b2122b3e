import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openRestarts, wasLimited } from './restarts.ts';

function restarts() {
  const clock = { time: 1_000, now: (): number => clock.time };
  return { clock, of: openRestarts(clock) };
}

test('a server that fails again and again waits longer each time, up to 8 s, and starts at once after a first failure', () => {
  const { clock, of } = restarts();
  const pauses = Array.from({ length: 8 }, () => {
    of.failed('a', false);
    const pause = of.pauseOf('a');
    clock.time += pause;
    assert.equal(of.pauseOf('a'), 0);
    return pause;
  });
  assert.deepEqual(pauses, [0, 500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
  assert.equal(of.pauseOf('b'), 0);
});

test('a server that was ended at a limit waits after the first time', () => {
  const { clock, of } = restarts();
  const pauses = Array.from({ length: 3 }, () => {
    of.failed('a', true);
    const pause = of.pauseOf('a');
    clock.time += pause;
    return pause;
  });
  assert.deepEqual(pauses, [1_000, 8_000, 8_000]);
  of.worked('a');
  assert.equal(of.pauseOf('a'), 0);
});

test('an answer, or a minute without a failure, ends the pauses', () => {
  const { clock, of } = restarts();
  of.failed('a', false);
  of.failed('a', false);
  of.worked('a');
  of.failed('a', false);
  assert.equal(of.pauseOf('a'), 0);
  of.failed('a', false);
  assert.equal(of.pauseOf('a'), 500);
  clock.time += 60_000;
  of.failed('a', false);
  assert.equal(of.pauseOf('a'), 0);
});

test('remembers a limited number of servers', () => {
  const { of } = restarts();
  for (let n = 0; n < 2; n++) of.failed('first', false);
  for (let n = 0; n < 10_000; n++) of.failed(`${n}`, false);
  assert.equal(of.pauseOf('first'), 0);
});

test('a bomb, a flood and a memory limit count as limits, a crash and a kill from outside do not', () => {
  assert.ok(wasLimited({ reason: 'broken' }, { reason: 'failed' }));
  assert.ok(wasLimited({ reason: 'too_large' }, { reason: 'killed' }));
  assert.ok(wasLimited({ reason: 'out_of_memory' }, null));
  assert.ok(!wasLimited({ reason: 'broken' }, { reason: 'exited' }));
  assert.ok(!wasLimited({ reason: 'broken' }, { reason: 'killed' }));
  assert.ok(!wasLimited({ reason: 'start_failed' }, null));
});
