import { parentPort, workerData } from 'node:worker_threads';
import { checkAgainst } from './schema-check.ts';

/** Entry of the thread in which a stranger's schema is looked at. */
const { schema, input } = workerData as { schema: Record<string, unknown>; input: unknown };
parentPort?.postMessage('begun');
parentPort?.postMessage(checkAgainst(schema, input));
