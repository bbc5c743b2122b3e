import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

const patient = fileURLToPath(new URL('./patient-wait.mjs', import.meta.url));
const program = `
  const { parentPort, workerData } = require('node:worker_threads');
  const outcome = Atomics.wait(workerData, 0, 1, 60_000);
  parentPort.postMessage({ outcome, value: Atomics.load(workerData, 0), late: Atomics.wait(workerData, 0, 2, 1) });`;

test('Atomics.wait continues to wait after a spurious wake-up, and ends at its timeout', async () => {
  const words = new Int32Array(new SharedArrayBuffer(4));
  words[0] = 1;
  const worker = new Worker(program, { eval: true, workerData: words, execArgv: [`--require=${patient}`] });
  const said = once(worker, 'message');
  for (let woken = 0; woken < 3; await turn()) woken += Atomics.notify(words, 0);
  Atomics.store(words, 0, 2);
  Atomics.notify(words, 0);
  assert.deepEqual(await said, [{ outcome: 'ok', value: 2, late: 'timed-out' }]);
});
