import { once } from 'node:events';
import { after, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { until } from '#test/until.ts';
import { newHeartbeats, watchHeartbeat } from './heartbeat.ts';

/** A real thread with a heartbeat that blocks from a message until it is woken. */
const heartbeats = newHeartbeats(2);
const gate = new Int32Array(new SharedArrayBuffer(4));
const HEARTBEAT = JSON.stringify(new URL('./heartbeat.ts', import.meta.url));
const worker = new Worker(
  `const { parentPort, workerData } = require('node:worker_threads');
  import(${HEARTBEAT}).then(({ startHeartbeat }) => { startHeartbeat(workerData.heartbeats, 2, 10); parentPort.postMessage('beating'); });
  parentPort.on('message', () => Atomics.wait(workerData.gate, 0, 0));`,
  { eval: true, workerData: { heartbeats, gate } },
);
await once(worker, 'message');
after(() => worker.terminate());

test('a thread that blocks is reported, and again when it continues', async () => {
  const heard: string[] = [];
  const stop = watchHeartbeat({
    heartbeats,
    number: 2,
    every_ms: 20,
    quiet_ms: 1_000,
    onQuiet: () => heard.push('quiet'),
    onBack: () => heard.push('back'),
    onHung: () => {},
  });
  worker.postMessage('stand still');
  await until('word of its silence', () => heard.includes('quiet'));
  Atomics.store(gate, 0, 1);
  Atomics.notify(gate, 0);
  await until('word of its return', () => heard.at(-1) === 'back');
  stop();
});
