import { parentPort, workerData } from 'node:worker_threads';
import { isoTime } from '#core/clock/clock.ts';
import { openConnection } from '#core/db/connection.ts';
import type { DatabaseConfig } from '#core/db/open.ts';
import { fenceOver } from '#core/jobs/fence.ts';
import { linkAll } from './link.ts';
import { isWorthWhole } from './link-all.ts';
import type { LinkDb } from './save.ts';

/** Entry of the linking thread: links all that is to be looked at under one lease, and ends. */

export interface LinkWorkerOptions {
  database: DatabaseConfig;
  lease: { id: string; attempt: number };
}

/** So many at once at most; fewer where saving them would keep others waiting that write. */
const PAGE = 500;

const { database, lease } = workerData as LinkWorkerOptions;
const stopping = new AbortController();
parentPort?.on('message', () => stopping.abort());

const connection = await openConnection(database);
const db: LinkDb = {
  query: connection.query,
  transaction: async (work) => {
    await connection.query('begin');
    try {
      await fenceOver(connection, lease);
      const result = await work(connection);
      await connection.query('commit');
      return result;
    } catch (error) {
      await connection.query('rollback').catch(() => {});
      throw error;
    }
  },
};
try {
  const looked = await linkAll(db, {
    page: PAGE,
    now: () => isoTime(Date.now()),
    signal: stopping.signal,
    isWorthWhole,
  });
  parentPort?.postMessage({ looked });
} finally {
  await connection.close();
  parentPort?.close();
}
