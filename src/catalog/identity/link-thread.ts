import { parentPort, workerData } from 'node:worker_threads';
import { isoTime } from '#core/clock/clock.ts';
import { openConnection } from '#core/db/connection.ts';
import type { DatabaseConfig } from '#core/db/open.ts';
import { fenceOver } from '#core/jobs/fence.ts';
import { linkChanged } from './link.ts';
import { isWorthLinkingAll } from './link-all.ts';
import type { LinkDb } from './save.ts';

/** Entry of the worker thread: links everything that changed under one lease, then exits. */

interface LinkThreadOptions {
  database: DatabaseConfig;
  lease: { id: string; attempt: number };
}

/** Maximum page; the pace shrinks it if saving holds up other writers. */
const PAGE = 500;

const { database, lease } = workerData as LinkThreadOptions;
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
  const processed = await linkChanged(db, {
    page: PAGE,
    now: () => isoTime(Date.now()),
    signal: stopping.signal,
    isWorthLinkingAll,
  });
  parentPort?.postMessage({ processed });
} finally {
  await connection.close();
  parentPort?.close();
}
