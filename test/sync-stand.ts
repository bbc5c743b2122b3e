import assert from 'node:assert/strict';
import { after } from 'node:test';
import type { ProviderId } from '#catalog/items/kinds.ts';
import { createSyncEngine, syncJob } from '#catalog/sync/engine.ts';
import type { Provider } from '#catalog/sync/provider.ts';
import type { SyncConfig } from '#catalog/sync/sync-plan.ts';
import { readSyncState } from '#catalog/sync/sync-states.ts';
import { jobTable } from '#core/jobs/jobs.ts';
import { createLog } from '#core/log.ts';
import { createOutbound } from '#core/outbound/outbound.ts';
import { testBlobs } from './blobs.ts';
import type { TestDatabase } from './databases.ts';
import { type FaultServer, faultDoor, startFaultServer } from './fakes/fault-server.ts';

/** A sync engine over one fake provider, with time standing still until the test moves it. */

export const outbound = createOutbound({ allow_loopback: true, user_agent: 'unused' });
const servers: FaultServer[] = [];
after(async () => {
  await outbound.close();
  for (const server of servers) await server.close();
});

export const START = Date.parse('2026-01-10T00:00:00Z');
export const HOUR = 3_600_000;

export async function serve(start: unknown[] = [], page_size = 10) {
  const server = await startFaultServer(start, page_size);
  servers.push(server);
  return server;
}

interface Bench {
  database: TestDatabase;
  clock: { ms: number; now(): number };
  /** One run of one provider, as the worker does it. */
  run(id?: ProviderId): Promise<Awaited<ReturnType<typeof readSyncState>>>;
  rows(): Promise<{ external_id: string; name: string; seq: number; removed_at: string | null; seen_run: string }[]>;
  live(): Promise<string[]>;
  engine: ReturnType<typeof createSyncEngine>;
}

export async function bench(
  database: TestDatabase,
  server: FaultServer,
  door: Partial<Provider> = {},
  config: Partial<SyncConfig> = {},
): Promise<Bench> {
  const clock = { ms: START, now: () => clock.ms };
  const jobs = jobTable(database, clock);
  const engine = createSyncEngine({
    db: database.db,
    jobs,
    clock,
    log: createLog('silent'),
    fetch: outbound.fetch,
    blobs: testBlobs(),
    providers: [faultDoor('glama', door)],
    retry: { retries: 1, base_ms: 1, max_wait_ms: 50, random: () => 1 },
    config: {
      providers: ['glama'],
      urls: { glama: server.url },
      keys: {},
      interval_ms: HOUR,
      full_interval_ms: 24 * HOUR,
      public_url: 'http://127.0.0.1:8080',
      version: '0.1.0',
      ...config,
    },
  });
  const run = async () => {
    await jobs.put({ kind: syncJob('glama'), key: 'glama', payload: { force: true } });
    const lease = await jobs.claim([syncJob('glama')], 'test', 60_000);
    assert.ok(lease);
    const handler = engine.kinds[syncJob('glama')]?.handler;
    const outcome = await handler?.({
      job: lease,
      signal: new AbortController().signal,
      fence: (trx) => jobs.fence(trx, lease),
    });
    await jobs.complete(lease, outcome?.again_at_ms ?? null);
    clock.ms += HOUR;
    return readSyncState(database.db, 'glama');
  };
  const rows = () =>
    database.db
      .selectFrom('listings')
      .select(['external_id', 'name', 'seq', 'removed_at', 'seen_run'])
      .orderBy('external_id')
      .execute();
  const live = async () => (await rows()).filter((row) => row.removed_at === null).map((row) => row.external_id);
  return { database, clock, run, rows, live, engine };
}

export const errorOf = ({ error }: { error: string | null }) =>
  JSON.parse(error ?? '{}') as { code?: string; reason?: string; detail?: string };
