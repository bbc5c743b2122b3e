import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Registry } from 'prom-client';
import { defined } from '#core/defined.ts';
import { userShare } from '#core/fair-queue/share.ts';
import { NEVER_STARTED } from './embedded.ts';
import { instrumentedSandbox } from './instrumented.ts';
import { proven } from './proven.ts';
import { queued } from './queued.ts';
import { DEFAULT_LIMITS, type Sandbox, type SandboxRequest } from './sandbox.ts';

/** A sandbox whose runs end when the test ends them. */
function slowSandbox() {
  const under_way = new Map<string, () => void>();
  const begun: string[] = [];
  let closed = false;
  const sandbox: Sandbox = {
    isolation: 'wasm+process',
    counts: () => ({ running: under_way.size, queued: 0 }),
    selfTest: async () => ({ ok: true, reason: null }),
    close: async () => {
      closed = true;
      for (const end of under_way.values()) end();
    },
    run: ({ stdin }) => {
      begun.push(stdin);
      const { promise, resolve } = Promise.withResolvers<void>();
      under_way.set(stdin, resolve);
      return promise.then(() => {
        under_way.delete(stdin);
        return { ...NEVER_STARTED, status: 'completed', exit_code: 0, isolation: 'wasm+process', engine: 'test' };
      });
    },
  };
  return { sandbox, begun, under_way, isClosed: () => closed };
}

const request = (name: string, signal?: AbortSignal, user = name): SandboxRequest => ({
  share: userShare(user),
  language: 'bash',
  files: new Map(),
  entry: '',
  stdin: name,
  limits: DEFAULT_LIMITS,
  ...defined({ signal }),
});

const settle = () => new Promise((resolve) => setImmediate(resolve));

test('runs up to the limit at the same time, and the rest in order of arrival', async () => {
  const { sandbox, begun, under_way } = slowSandbox();
  const { run, counts } = queued(sandbox, { concurrency: 2, waiting: 10 });
  const runs = ['a', 'b', 'c', 'd', 'e'].map((name) => run(request(name)));
  await settle();
  assert.deepEqual([begun, counts()], [['a', 'b'], { running: 2, queued: 3 }]);
  under_way.get('b')?.();
  await settle();
  assert.deepEqual([begun, counts()], [['a', 'b', 'c'], { running: 2, queued: 2 }]);
  // Later requests join the end of the queue.
  const last = run(request('f'));
  for (const name of ['a', 'c', 'd', 'e', 'f']) {
    under_way.get(name)?.();
    await settle();
  }
  assert.deepEqual(begun, ['a', 'b', 'c', 'd', 'e', 'f']);
  for (const ended of await Promise.all([...runs, last])) assert.equal(ended.status, 'completed');
  assert.deepEqual(counts(), { running: 0, queued: 0 });
});

test('one user takes at most half of the places, so another user starts at once', async () => {
  const { sandbox, begun, under_way } = slowSandbox();
  const { run } = queued(sandbox, { concurrency: 4, waiting: 100 });
  const flood = Array.from({ length: 20 }, (_, n) => run(request(`sleep-${n}`, undefined, 'eve')));
  await settle();
  assert.deepEqual(begun, ['sleep-0', 'sleep-1']);
  const victim = run(request('victim'));
  await settle();
  assert.deepEqual(begun, ['sleep-0', 'sleep-1', 'victim']);
  for (let n = 0; n < 22; n++) {
    for (const end of under_way.values()) end();
    await settle();
  }
  await Promise.all([...flood, victim]);
});

test('new accounts of one network share one user’s places, and leave one for others', async () => {
  const { sandbox, begun, under_way } = slowSandbox();
  const { run } = queued(sandbox, { concurrency: 4, waiting: 100 });
  const newcomer = (name: string, address: string): SandboxRequest => ({
    ...request(name),
    share: { user_id: name, address, is_new: true },
  });
  const all = [1, 2, 3, 4, 5].map((n) => run(newcomer(`a${n}`, '203.0.113.0/24')));
  await settle();
  assert.deepEqual(begun, ['a1', 'a2']);
  all.push(run(newcomer('b1', '198.51.100.0/24')), run(newcomer('b2', '198.51.100.0/24')), run(request('known')));
  await settle();
  assert.deepEqual(begun, ['a1', 'a2', 'b1', 'known']);
  for (let n = 0; n < 8; n++) {
    for (const end of under_way.values()) end();
    await settle();
  }
  await Promise.all(all);
});

test('a failed run frees its place', async () => {
  const { sandbox } = slowSandbox();
  let calls = 0;
  const failing: Sandbox = { ...sandbox, run: () => Promise.reject(new Error(`no ${++calls}`)) };
  const { run } = queued(failing, { concurrency: 1, waiting: 1 });
  await assert.rejects(run(request('a')), /no 1/);
  await assert.rejects(run(request('b')), /no 2/);
});

test('a run canceled in the queue never starts, and the queue advances', async () => {
  const { sandbox, begun, under_way } = slowSandbox();
  const { run, counts } = queued(sandbox, { concurrency: 1, waiting: 10 });
  const cancel = new AbortController();
  const [first, second, third] = [run(request('a')), run(request('b', cancel.signal)), run(request('c'))];
  await settle();
  cancel.abort();
  const { status, duration_ms, exit_code } = await second;
  assert.deepEqual([status, duration_ms, exit_code], ['cancelled', 0, null]);
  assert.equal(counts().queued, 1);
  under_way.get('a')?.();
  await first;
  await settle();
  under_way.get('c')?.();
  assert.equal((await third).status, 'completed');
  assert.deepEqual(begun, ['a', 'c']);
});

test('refuses a run with Retry-After when the queue is full', async () => {
  const { sandbox, under_way } = slowSandbox();
  const { run } = queued(sandbox, { concurrency: 1, waiting: 1 });
  const [first, second] = [run(request('a')), run(request('b'))];
  await assert.rejects(run(request('c')), { code: 'runs.unavailable', headers: { 'retry-after': '5' } });
  under_way.get('a')?.();
  await first;
  await settle();
  under_way.get('b')?.();
  assert.equal((await second).status, 'completed');
});

test('close() cancels waiting runs', async () => {
  const { sandbox, isClosed } = slowSandbox();
  const { run, close } = queued(sandbox, { concurrency: 1, waiting: 5 });
  const [first, second] = [run(request('a')), run(request('b'))];
  await settle();
  await close();
  assert.deepEqual([isClosed(), (await first).status, (await second).status], [true, 'completed', 'cancelled']);
});

test('runs nothing when the isolation is below the minimum or the self-test failed', async () => {
  const { sandbox, begun } = slowSandbox();
  const weak = proven(sandbox, 'wasm+process+bwrap');
  const { ok, code, reason } = await weak.selfTest();
  assert.deepEqual([ok, code], [false, 'sandbox_too_weak']);
  assert.match(reason ?? '', /offers wasm\+process, but CAPSTAN_SANDBOX_MIN requires wasm\+process\+bwrap/);
  await assert.rejects(weak.run(request('a')), { code: 'runs.unavailable', reason: 'sandbox_too_weak', status: 503 });

  const broken = proven({ ...sandbox, selfTest: async () => ({ ok: false, reason: 'It leaks.' }) }, 'wasm+process');
  assert.equal((await broken.selfTest()).code, 'sandbox_unsafe');
  await assert.rejects(broken.run(request('a')), {
    code: 'runs.unavailable',
    message: 'Scripts are not run here. It leaks.',
  });
  assert.deepEqual(begun, []);

  const strong = proven({ ...sandbox, isolation: 'wasm+process+bwrap' }, 'wasm+process');
  assert.equal((await strong.selfTest()).ok, true);
});

test('exposes gauges for running and queued runs', async () => {
  const { sandbox, under_way } = slowSandbox();
  const registry = new Registry();
  const limited = instrumentedSandbox(queued(sandbox, { concurrency: 1, waiting: 5 }), registry);
  const runs = ['a', 'b', 'c'].map((name) => limited.run(request(name)));
  await settle();
  const text = await registry.metrics();
  assert.match(text, /^capstan_sandbox_running 1$/m);
  assert.match(text, /^capstan_sandbox_queued 2$/m);
  for (const name of ['a', 'b', 'c']) {
    await settle();
    under_way.get(name)?.();
  }
  await Promise.all(runs);
  assert.match(await registry.metrics(), /^capstan_sandbox_running 0$/m);
});
