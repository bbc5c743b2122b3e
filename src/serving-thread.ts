import { parentPort, workerData } from 'node:worker_threads';
import { createApp } from './app.ts';
import { createLog } from './platform/log.ts';
import { furtherThread } from './platform/threads/further.ts';
import type { ServingThreadData } from './serving.ts';

/** Entry of a serving thread beside the first: the same service on the same port, without the work that is due. */

const { config, ...place } = workerData as ServingThreadData;
const threads = furtherThread(place);
const app = await createApp({ config, log: createLog(config.server.log_level), role: 'quiet', threads });
threads.takes('listen', app.listen);
threads.takes('close', app.close);
parentPort?.postMessage('open');
