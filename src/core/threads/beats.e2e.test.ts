import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { newBeats, watchBeat } from './beats.ts';

/** A real thread with a heartbeat that blocks for as long as requested. */
const beats = newBeats(2);
const BEATS = JSON.stringify(new URL('./beats.ts', import.meta.url));
const worker = new Worker(
  `const { parentPort, workerData } = require('node:worker_threads');
  import(${BEATS}).then(({ beat }) => { beat(workerData, 2, 10); parentPort.postMessage('beating'); });
  parentPort.on('message', (ms) => { const until = performance.now() + ms; while (performance.now() < until); });`,
  { eval: true, workerData: beats },
);
await once(worker, 'message');
after(() => worker.terminate());

function watched() {
  const heard: string[] = [];
  const stop = watchBeat({
    beats,
    number: 2,
    every_ms: 20,
    quiet_ms: 200,
    hung_ms: 2_000,
    onQuiet: () => heard.push('quiet'),
    onBack: () => heard.push('back'),
    onHung: (silent_ms) => heard.push(silent_ms >= 2_000 && silent_ms < 4_000 ? 'hung' : `hung ${silent_ms}`),
  });
  return { heard, stop };
}

async function until(is: () => boolean): Promise<void> {
  const began_ms = performance.now();
  while (!is()) {
    assert.ok(performance.now() - began_ms < 30_000, 'never');
    await sleep(10);
  }
}

test('reports a thread that blocks for a while, and its return', async () => {
  const { heard, stop } = watched();
  worker.postMessage(800);
  await until(() => heard.length === 2);
  stop();
  assert.deepEqual(heard, ['quiet', 'back']);
});

test('does not count time during which the watching thread was blocked itself, however long', async () => {
  const { heard, stop } = watched();
  worker.postMessage(3_000);
  const awake_ms = performance.now() + 2_800;
  while (performance.now() < awake_ms);
  await sleep(600);
  stop();
  assert.ok(!heard.some((text) => text.startsWith('hung')), heard.join());
});

test('reports a thread that does not return as hanging, once', async () => {
  const { heard, stop } = watched();
  worker.postMessage(8_000);
  await until(() => heard.includes('hung'));
  await sleep(200);
  stop();
  assert.deepEqual(heard, ['quiet', 'hung']);
});
