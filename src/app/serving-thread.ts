import { parentPort, workerData } from 'node:worker_threads';
import { createLog } from '#core/log.ts';
import { furtherThread } from '#core/threads/further.ts';
import { logHangs, startHeartbeat, watchHeartbeat } from '#core/threads/heartbeat.ts';
import { createApp } from './app.ts';
import type { ServingThreadData } from './serving.ts';

/** Entry point of a serving thread other than the first: the same service on the same port, without jobs. */

const { config, heartbeats, ...place } = workerData as ServingThreadData;
const log = createLog(config.server.log_level);
const threads = furtherThread(place);
const app = await createApp({ config, log, role: 'quiet', threads });
threads.takes('listen', app.listen);
threads.takes('close', app.close);
startHeartbeat(heartbeats, place.number);
watchHeartbeat({
  heartbeats,
  number: 1,
  ...logHangs(log, 1),
  onHung: (silent_ms) => {
    // Its signal handlers hang too, and nothing else can end the process.
    log.fatal({ thread: 1, silent_ms }, 'the first serving thread is unresponsive; killing the process');
    process.kill(process.pid, 'SIGKILL');
  },
});
parentPort?.postMessage('open');
