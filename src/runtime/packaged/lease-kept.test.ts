import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leaseKept } from './lease-kept.ts';
import { openRestarts } from './restarts.ts';

/** Boxes of which the first ones end before a call can use them, at a clock that only pauses advance. */
function boxes({ ending }: { ending: number }) {
  const clock = { time: 0, now: (): number => clock.time };
  const restarts = openRestarts(clock);
  const pauses: number[] = [];
  const lease = () => {
    let kept: number | null = null;
    return leaseKept({
      take: () => (kept === null || kept < ending ? null : `box ${kept}`),
      start: async () => {
        const pauseMs = restarts.pauseOf('a');
        clock.time += pauseMs;
        kept = pauses.push(pauseMs) - 1;
        return { ok: true, box: kept } as const;
      },
      hasEnded: (box) => box < ending,
      onUnused: () => restarts.failed('a', false),
    });
  };
  return { lease, pauses };
}

test('a box that ends before its first call is started again, less and less often, and not for ever', async () => {
  const { lease, pauses } = boxes({ ending: Number.POSITIVE_INFINITY });
  assert.deepEqual(await lease(), { ended: 2 });
  assert.deepEqual(await lease(), { ended: 5 });
  assert.deepEqual(pauses, [0, 0, 500, 1_000, 2_000, 4_000]);
});

test('a box that stays is taken, after one that did not', async () => {
  assert.deepEqual(await boxes({ ending: 0 }).lease(), { lease: 'box 0' });
  assert.deepEqual(await boxes({ ending: 2 }).lease(), { lease: 'box 2' });
});

test('a box that was retired and has not ended is no failure of it', async () => {
  let starts = 0;
  const failures: number[] = [];
  const leased = await leaseKept({
    take: () => (starts === 5 ? 'lease' : null),
    start: async () => ({ ok: true, box: ++starts }) as const,
    hasEnded: () => false,
    onUnused: (box) => void failures.push(box),
  });
  assert.deepEqual([leased, failures], [{ lease: 'lease' }, []]);
});
