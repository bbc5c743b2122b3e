import { parentPort } from 'node:worker_threads';
import { checkAgainst } from './check.ts';

/** Entry of the thread in which a stranger's schema is looked at. */
parentPort?.on('message', ({ schema, input }: { schema: Record<string, unknown>; input: unknown }) => {
  parentPort?.postMessage('begun');
  parentPort?.postMessage(checkAgainst(schema, input));
});
