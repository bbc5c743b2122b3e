import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSyncEngine } from '#catalog/sync/engine.ts';
import { readSyncState } from '#catalog/sync/sync-states.ts';
import { openBlobStore } from '#core/blobs/blob-store.ts';
import { systemClock } from '#core/clock/clock.ts';
import { type DatabaseConfig, openDatabase } from '#core/db/open.ts';
import { jobTable } from '#core/jobs/jobs.ts';
import { startWorker } from '#core/jobs/worker.ts';
import { createLog } from '#core/log.ts';
import { createOutbound } from '#core/outbound/outbound.ts';
import { faultDoor } from './fakes/fault-server.ts';
import { until } from './until.ts';

/** A process that syncs one fake provider until it is killed, or exits when its run has ended. */

const order = JSON.parse(process.argv[2] ?? '') as { database: DatabaseConfig; url: string; start_new: boolean };
const database = await openDatabase(order.database);
const jobs = jobTable(database, systemClock);
const log = createLog('silent');
const engine = createSyncEngine({
  db: database.db,
  jobs,
  clock: systemClock,
  log,
  fetch: createOutbound({ allow_loopback: true, user_agent: 'unused' }).fetch,
  blobs: openBlobStore(join(tmpdir(), 'capstan-kill-sync')),
  providers: [faultDoor('glama')],
  config: {
    providers: ['glama'],
    urls: { glama: order.url },
    keys: {},
    interval_ms: 3_600_000,
    full_interval_ms: 86_400_000,
    public_url: 'http://127.0.0.1:8080',
    version: '0.1.0',
  },
});
const { run_id: lastRun, status } = await readSyncState(database.db, 'glama');
if (order.start_new) await engine.syncNow('glama');
const worker = startWorker({ jobs, kinds: engine.kinds, clock: systemClock, log, lease_ms: 400, poll_ms: 10 });
async function isOver() {
  const state = await readSyncState(database.db, 'glama');
  return state.status === 'succeeded' && (state.run_id !== lastRun || status === 'running');
}
await until('the end of the run', isOver);
await worker.stop();
process.exit(0);
