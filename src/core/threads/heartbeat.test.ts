import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { newHeartbeats, watchHeartbeat } from './heartbeat.ts';

/** One thread that looks at another, in which time passes as the test says. */
function watched(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const heartbeats = newHeartbeats(2);
  const heard: string[] = [];
  let nowMs = 0;
  const stop = watchHeartbeat({
    heartbeats,
    number: 2,
    every_ms: 20,
    quiet_ms: 200,
    hung_ms: 2_000,
    now: () => nowMs,
    onQuiet: (silentMs) => heard.push(`quiet ${silentMs}`),
    onBack: () => heard.push('back'),
    onHung: (silentMs) => heard.push(`hung ${silentMs}`),
  });
  /** So many looks, one every 20 ms. */
  const look = (times: number, isBeating: boolean) => {
    for (let at = 0; at < times; at++) {
      if (isBeating) Atomics.add(heartbeats, 1, 1);
      nowMs += 20;
      t.mock.timers.tick(20);
    }
  };
  const beAway = (ms: number) => {
    nowMs += ms;
  };
  return { heard, look, beAway, stop };
}

test('a silent thread is reported after the limit, and again when it continues', (t) => {
  const { heard, look } = watched(t);
  look(50, true);
  look(9, false);
  assert.deepEqual(heard, []);
  look(20, false);
  assert.deepEqual(heard, ['quiet 200']);
  look(50, true);
  assert.deepEqual(heard, ['quiet 200', 'back']);
});

test('time during which the watching thread itself was blocked does not count', (t) => {
  const { heard, look, beAway } = watched(t);
  beAway(3_600_000);
  look(8, false);
  assert.deepEqual(heard, []);
  look(1, false);
  assert.deepEqual(heard, ['quiet 200'], 'an hour away counts as one look more');
});

test('a thread that stays silent is reported as hung, once', (t) => {
  const { heard, look } = watched(t);
  look(500, false);
  assert.deepEqual(heard, ['quiet 200', 'hung 2000']);
});

test('nothing is reported after the watch was stopped', (t) => {
  const { heard, look, stop } = watched(t);
  stop();
  look(500, false);
  assert.deepEqual(heard, []);
});
