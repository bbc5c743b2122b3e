import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Share } from '#core/fair-queue/share.ts';
import { createWorkerPool, type WorkerPool } from '#core/workers/worker-pool.ts';
import { heldTimeOf } from '#test/cpu-time.ts';
import { createDiffKept } from './diff-kept.ts';

const reader: Share = { user_id: null, address: '203.0.113.1' };

function countedPool() {
  const pool = createWorkerPool();
  after(pool.close);
  let runs = 0;
  const run: WorkerPool['run'] = (kind, request, order) => {
    runs += 1;
    return pool.run(kind, request, order);
  };
  return { run, runs: () => runs };
}

test('two texts are compared once, and the differing lines are returned and cached', async () => {
  const pool = countedPool();
  const diff = createDiffKept({ pool });
  const hunks = await diff('a\nb\n', 'a\nc\n', reader);
  assert.deepEqual(
    hunks?.[0]?.lines.map(({ kind, text }) => `${kind} ${text}`),
    ['same a', 'removed b', 'added c'],
  );
  assert.deepEqual(await diff('a\nb\n', 'a\nc\n', reader), hunks);
  assert.equal(pool.runs(), 1);
});

test('comparing long texts without common lines does not block the event loop', async () => {
  const diff = createDiffKept({ pool: countedPool() });
  await diff('a', 'b', reader);
  const lines = Array.from({ length: 20_000 }, (_, line) => `${line}`);
  const [from, to] = [lines.join('\n'), lines.toReversed().join('\n')];
  const heldMs = await heldTimeOf(async () => assert.equal(await diff(from, to, reader), null));
  assert.ok(heldMs < 50, `${heldMs} ms`);
});

test('no result is cached if the worker pool refuses', async () => {
  let runs = 0;
  const run = async () => {
    runs += 1;
    return { status: 'busy', retry_after_s: 1 } as const;
  };
  const diff = createDiffKept({ pool: { run } });
  assert.equal(await diff('a', 'b', reader), null);
  assert.equal(await diff('a', 'b', reader), null);
  assert.equal(runs, 2);
});
