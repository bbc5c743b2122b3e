import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openRestarts } from './restarts.ts';

function restarts() {
  const clock = { time: 1_000, now: (): number => clock.time };
  return { clock, of: openRestarts(clock) };
}

test('a server that fails again and again waits longer each time, up to 8 s, and starts at once after a first failure', () => {
  const { clock, of } = restarts();
  const pauses = Array.from({ length: 8 }, () => {
    of.failed('a');
    const pause = of.pauseOf('a');
    clock.time += pause;
    assert.equal(of.pauseOf('a'), 0);
    return pause;
  });
  assert.deepEqual(pauses, [0, 500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
  assert.equal(of.pauseOf('b'), 0);
});

test('an answer, or a minute without a failure, ends the pauses', () => {
  const { clock, of } = restarts();
  of.failed('a');
  of.failed('a');
  of.worked('a');
  of.failed('a');
  assert.equal(of.pauseOf('a'), 0);
  of.failed('a');
  assert.equal(of.pauseOf('a'), 500);
  clock.time += 60_000;
  of.failed('a');
  assert.equal(of.pauseOf('a'), 0);
});

test('remembers a limited number of servers', () => {
  const { of } = restarts();
  for (let n = 0; n < 2; n++) of.failed('first');
  for (let n = 0; n < 10_000; n++) of.failed(`${n}`);
  assert.equal(of.pauseOf('first'), 0);
});
