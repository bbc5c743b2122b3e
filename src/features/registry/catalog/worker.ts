import { parentPort, workerData } from 'node:worker_threads';
import { type Connection, openConnection } from '../../../platform/db/connection.ts';
import type { DatabaseConfig } from '../../../platform/db/open.ts';
import { type Following, follow, startFollowing } from './feed.ts';
import { stateOf } from './live-index.ts';
import type { CatalogState } from './view.ts';

/** Entry of the building thread: follows the database and posts every new state. */

export interface WorkerOptions {
  database: DatabaseConfig;
  /** Sequence numbers mean something only in the database of this identity. */
  identity: string;
  data_dir: string | null;
  poll_ms: number;
}
export type ToWorker = { kind: 'refresh'; id: number } | { kind: 'close' };
export type FromWorker =
  | { kind: 'state'; state: CatalogState }
  | { kind: 'refreshed'; id: number }
  | { kind: 'failed'; message: string };

const LONGEST_WAIT_MS = 30_000;

const { database: config, identity, data_dir, poll_ms } = workerData as WorkerOptions;
const port = parentPort as NonNullable<typeof parentPort>;
const send = (message: FromWorker): void => port.postMessage(message);

let asked: number[] = [];
let closing = false;
let wake = (): void => {};

port.on('message', (message: ToWorker) => {
  if (message.kind === 'refresh') asked.push(message.id);
  else closing = true;
  wake();
});

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    if (closing || asked.length > 0) return resolve();
    const timer = setTimeout(resolve, ms);
    wake = () => {
      clearTimeout(timer);
      resolve();
    };
  });

async function run(): Promise<void> {
  let connection: Connection | null = null;
  let following: Following | null = null;
  let failures = 0;
  while (!closing) {
    const answering = asked;
    asked = [];
    const started = performance.now();
    try {
      connection ??= await openConnection(config);
      const next: Following | null =
        following === null
          ? await startFollowing(connection, identity, data_dir)
          : await follow(connection, following, data_dir);
      if (next !== null) {
        following = next;
        send({ kind: 'state', state: stateOf(next.index, `${next.identity}-${next.seq}`) });
      }
      for (const id of answering) send({ kind: 'refreshed', id });
      failures = 0;
    } catch (error) {
      failures++;
      // A connection may have died with its server; the next round opens another.
      await connection?.close().catch(() => {});
      connection = null;
      asked = [...answering, ...asked];
      send({ kind: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
    // A failed round is not repeated at once, and building takes at most half of this thread's time unless asked to.
    const spent = performance.now() - started;
    if (failures > 0) await longPause(Math.min(LONGEST_WAIT_MS, poll_ms * 2 ** failures));
    else await pause(Math.max(poll_ms, spent));
  }
  await connection?.close();
  port.close();
}

/** Unlike `pause` not cut short by a refresh. */
async function longPause(ms: number): Promise<void> {
  const until = performance.now() + ms;
  while (!closing && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, Math.min(50, ms)));
}

await run();
