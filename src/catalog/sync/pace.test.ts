import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '#test/until.ts';
import { createPace } from './pace.ts';

const never = new AbortController().signal;

test('requests respect the interval, the concurrency limit and a hold', async () => {
  let [nowMs, looks] = [0, 0];
  const clock = {
    now: () => {
      looks += 1;
      return nowMs;
    },
  };
  const pace = createPace({ concurrency: 2, interval_ms: 20 }, clock);
  const started: number[] = [];
  const ends: (() => void)[] = [];
  const runs = Array.from({ length: 5 }, () =>
    pace.run(never, () => {
      started.push(nowMs);
      return new Promise<void>((resolve) => ends.push(resolve));
    }),
  );
  const isAt = async (ms: number, expected: number[]) => {
    nowMs = ms;
    await until(`${expected.length} starts`, () => started.length === expected.length);
    assert.deepEqual(started, expected);
  };
  /** Waits until the waiting requests have read the clock twice. */
  const isStillAt = async (ms: number, expected: number[]) => {
    nowMs = ms;
    const before = looks;
    await until('looks at the clock', () => looks >= before + 2);
    assert.deepEqual(started, expected);
  };
  await isAt(0, [0]);
  await isStillAt(19, [0]);
  await isAt(20, [0, 20]);
  nowMs = 100;
  ends[0]?.();
  await isAt(100, [0, 20, 100]);
  pace.holdUntil(110);
  ends[1]?.();
  await isStillAt(119, [0, 20, 100]);
  await isAt(120, [0, 20, 100, 120]);
  pace.holdUntil(180);
  ends[2]?.();
  await isStillAt(179, [0, 20, 100, 120]);
  await isAt(180, [0, 20, 100, 120, 180]);
  for (const end of ends) end();
  await Promise.all(runs);
});
