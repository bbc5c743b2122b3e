import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Share } from '#core/fair-queue/share.ts';
import { heldTimeOf } from '#test/cpu-time.ts';
import { workKind } from './kind.ts';
import { createWorkerPool, type WorkerPool, type WorkerPoolOptions } from './worker-pool.ts';

const WORK = workKind<typeof import('#test/hostile-work.ts')>(
  new URL('../../../test/hostile-work.ts', import.meta.url),
);

const user = (id: string): Share => ({ user_id: id, address: '198.51.100.1' });
const anonymous = (n: number): Share => ({ user_id: null, address: `203.0.113.${n}` });

function openPool(options: WorkerPoolOptions = {}) {
  const pool = createWorkerPool(options);
  after(pool.close);
  return pool;
}

/** The number of threads started while `act` runs. */
async function threadsStarted(act: () => Promise<unknown>): Promise<number> {
  let started = 0;
  const note = () => void started++;
  process.on('worker', note);
  await act();
  process.off('worker', note);
  return started;
}

test('a pool returns the result or the error of its work, and reuses its thread', async () => {
  const pool = openPool();
  const order = { share: user('a') };
  assert.deepEqual(await pool.run(WORK, { echo: { deep: ['yes'] } }, order), {
    status: 'done',
    answer: { deep: ['yes'] },
  });
  const started = await threadsStarted(async () => {
    await assert.rejects(pool.run(WORK, { fail: 'no such thing' }, order), {
      name: 'TypeError',
      message: 'no such thing',
    });
    assert.deepEqual(await pool.run(WORK, { environment: true }, order), { status: 'done', answer: [] });
  });
  assert.equal(started, 0);
});

test('a pool reports work that takes too long, uses too much memory, or crashes its thread', async () => {
  const pool = openPool({ deadline_ms: 200 });
  assert.deepEqual(await pool.run(WORK, { spin_ms: 60_000 }, { share: user('a') }), { status: 'timeout' });
  assert.deepEqual(await pool.run(WORK, { exit: true }, { share: user('b') }), { status: 'crashed' });
  const filled = await openPool().run(WORK, { fill: true }, { share: user('c') });
  assert.ok(filled.status === 'out_of_memory' || filled.status === 'timeout', filled.status);
  assert.deepEqual(await pool.run(WORK, { echo: 1 }, { share: user('d') }), { status: 'done', answer: 1 });
});

test('work in a pool does not block the calling thread', async () => {
  const pool = openPool({ deadline_ms: 400 });
  await pool.run(WORK, { echo: 1 }, { share: user('a') });
  const heldMs = await heldTimeOf(() => pool.run(WORK, { spin_ms: 60_000 }, { share: user('a') }));
  assert.ok(heldMs < 100, `${heldMs} ms`);
});

/** Runs requests of maximum length until `act` is done. Returns how many had ended by then. */
async function besideFlood(pool: WorkerPool, shares: Share[], act: () => Promise<void>): Promise<number> {
  const stop = new AbortController();
  let ended = 0;
  const flood = shares.map(async (share) => {
    const { status } = await pool.run(WORK, { spin_ms: 60_000 }, { share, signal: stop.signal });
    if (status === 'timeout') ended++;
  });
  await act();
  const byThen = ended;
  stop.abort();
  await Promise.allSettled(flood);
  return byThen;
}

test('quick requests run before earlier slow ones, from one user or from many', async () => {
  for (const attackers of [1, 20]) {
    const pool = openPool({ slice_ms: 10 });
    const shares = Array.from({ length: 20 }, (_, n) => user(`attacker-${n % attackers}`));
    const ended = await besideFlood(pool, shares, async () => {
      for (let n = 0; n < 5; n++)
        assert.deepEqual(await pool.run(WORK, { echo: n }, { share: user('victim') }), { status: 'done', answer: n });
    });
    assert.ok(ended <= 4, `${ended} slow requests of ${attackers} attackers were done first`);
  }
});

test('anonymous clients leave a slot to users for slow requests', async () => {
  const pool = openPool({ deadline_ms: 500 });
  const shares = Array.from({ length: 20 }, (_, n) => anonymous(n));
  const ended = await besideFlood(pool, shares, async () => {
    // This one needs the slow lane itself.
    const outcome = await pool.run(WORK, { spin_ms: 100 }, { share: user('victim') });
    assert.deepEqual(outcome, { status: 'done', answer: 'spun' });
  });
  assert.ok(ended <= 3, `${ended} of 20 were done first`);
});

test('when many anonymous clients are slow, new ones skip the fast lane', async () => {
  const pool = openPool({ deadline_ms: 75, slice_ms: 10, budget_ms_per_minute: 300 });
  for (const n of [1, 2, 3]) await pool.run(WORK, { spin_ms: 60_000 }, { share: anonymous(n) });
  const before = pool.counts().sliced;
  for (const n of [4, 5]) await pool.run(WORK, { spin_ms: 60_000 }, { share: anonymous(n) });
  assert.equal(pool.counts().sliced, before);
  assert.deepEqual(await pool.run(WORK, { echo: 1 }, { share: anonymous(6) }), { status: 'done', answer: 1 });
  await pool.run(WORK, { spin_ms: 60_000 }, { share: user('a') });
  assert.equal(pool.counts().sliced, before + 1, 'users are judged each by what they did');
});

test('slow requests use up the budget of their own share only', async () => {
  const pool = openPool({ deadline_ms: 100, budget_ms_per_minute: 150 });
  const statuses: string[] = [];
  for (let n = 0; n < 4; n++) statuses.push((await pool.run(WORK, { spin_ms: 60_000 }, { share: user('a') })).status);
  assert.deepEqual(statuses.slice(0, 2), ['timeout', 'timeout']);
  const refused = await pool.run(WORK, { echo: 1 }, { share: user('a') });
  assert.ok(refused.status === 'over_budget' && refused.retry_after_s > 0, refused.status);
  assert.deepEqual(await pool.run(WORK, { echo: 1 }, { share: user('b') }), { status: 'done', answer: 1 });
});

test('quick requests use no budget, however many there are', async () => {
  const pool = openPool({ budget_ms_per_minute: 1 });
  for (let n = 0; n < 100; n++)
    assert.deepEqual(await pool.run(WORK, { echo: n }, { share: user('a') }), { status: 'done', answer: n });
});

test('a share with too many waiting requests is refused, and others are not', async () => {
  const pool = openPool({ waiting_per_share: 3 });
  const greedy = await Promise.all(
    Array.from({ length: 20 }, () => pool.run(WORK, { echo: 1 }, { share: user('greedy') })).concat(
      pool.run(WORK, { echo: 2 }, { share: user('modest') }),
    ),
  );
  assert.equal(greedy.filter(({ status }) => status === 'busy').length, 15);
  assert.deepEqual(greedy.at(-1), { status: 'done', answer: 2 });
});

test('an abort ends work that is waiting or running', async () => {
  const pool = openPool({ places: 1, deadline_ms: 10_000, slice_ms: 5_000 });
  const [running, waiting] = [new AbortController(), new AbortController()];
  const reason = new Error('the client has gone');
  const order = (signal: AbortSignal) => ({ share: user('a'), signal });
  const all = [
    assert.rejects(pool.run(WORK, { spin_ms: 60_000 }, order(running.signal)), reason),
    assert.rejects(pool.run(WORK, { spin_ms: 60_000 }, order(waiting.signal)), reason),
  ];
  waiting.abort(reason);
  await all[1];
  running.abort(reason);
  await all[0];
  assert.deepEqual(await pool.run(WORK, { echo: 1 }, { share: user('b') }), { status: 'done', answer: 1 });
});
