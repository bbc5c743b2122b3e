import type { Kysely } from 'kysely';
import { rememberPurged } from '#catalog/changes/changes.ts';
import { createDetails, type Details } from '#catalog/details/fetch-details.ts';
import type { SkillFiles } from '#catalog/details/gather.ts';
import { TOMBSTONE_MS } from '#catalog/items/item.ts';
import { purgeTombstones } from '#catalog/items/items.ts';
import type { ProviderId } from '#catalog/items/kinds.ts';
import type { ListedNeeds } from '#catalog/items/listing-details.ts';
import type { BlobStore } from '#core/blobs/blob-store.ts';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import { defined } from '#core/defined.ts';
import type { JobTable, Lease } from '#core/jobs/jobs.ts';
import type { JobHandler, JobKind } from '#core/jobs/worker.ts';
import type { Log } from '#core/log.ts';
import type { OutboundFetch } from '#core/outbound/outbound.ts';
import type { Provider } from './provider.ts';
import { politeGet, userAgent } from './provider-client.ts';
import type { RetryPolicy } from './retry.ts';
import { runSync } from './run-sync.ts';
import { dueAt, isEnabled, type SyncConfig } from './sync-plan.ts';
import { createSyncReport, type SyncReport } from './sync-report.ts';
import { readSyncState } from './sync-states.ts';

/** Syncs as jobs: one job per enabled provider, whose lease ensures that one process syncs it. */

export interface SyncEngineDeps {
  db: Kysely<Schema>;
  jobs: JobTable;
  clock: Clock;
  log: Log;
  fetch: OutboundFetch;
  config: SyncConfig;
  /** Texts that are fetched for single listings. */
  blobs: BlobStore;
  /** All providers. Only those that the configuration enables are synced. */
  providers: readonly Provider[];
  retry?: RetryPolicy;
  /** Fetches the files of a skill from its repository. */
  skillFiles?: SkillFiles;
  /** Reads what a SKILL.md declares that it needs. */
  needsOf?: (skillMd: string) => ListedNeeds | null;
}

export interface SyncEngine {
  /** Details of single listings. */
  details: Details;
  kinds: Record<string, JobKind>;
  /** Queues the jobs of the enabled providers, due when their last run is older than the interval. */
  schedule(): Promise<void>;
  /** Makes one provider due now. */
  syncNow(id: ProviderId, options?: SyncOptions): Promise<void>;
}

interface SyncOptions {
  /** Accept far fewer listings than before in this run. */
  accept_fewer?: boolean;
  /** A full run, even if an incremental one is possible. */
  full?: boolean;
}

/** Payload of a sync that an operator requested. */
interface SyncOrder extends SyncOptions {
  force?: boolean;
}

export const syncJob = (id: ProviderId): string => `registry.sync.${id}`;
export const PURGE_JOB = 'registry.purge';
/** Tombstones per transaction. */
const PURGE_BATCH = 500;
const PURGE_EVERY_MS = 6 * 3_600_000;

export function createSyncEngine(deps: SyncEngineDeps): SyncEngine {
  const { db, jobs, config } = deps;
  const enabled = deps.providers.filter((provider) => isEnabled(config, provider.id));
  const report = createSyncReport(deps.log);
  const clientOf = clientsOf(deps);
  const details = createDetails({ ...deps, providers: enabled, client: clientOf });
  const syncKind = (provider: Provider): [string, JobKind] => [
    syncJob(provider.id),
    { handler: syncHandler(deps, provider, { report, client: clientOf(provider) }), concurrency: 1 },
  ];
  return {
    details,
    kinds: {
      ...details.kinds,
      // One kind per provider, so that a hanging one does not delay others, and each process takes only its own providers.
      ...Object.fromEntries(enabled.map(syncKind)),
      [PURGE_JOB]: { handler: purgeHandler(deps), concurrency: 1 },
    },
    schedule: async () => {
      await jobs.put({ kind: PURGE_JOB, key: 'tombstones' });
      for (const provider of enabled) {
        const run_at_ms = dueAt(config, provider, await readSyncState(db, provider.id));
        await jobs.put({ kind: syncJob(provider.id), key: provider.id, run_at_ms });
      }
      await details.schedule();
    },
    syncNow: (id, options = {}) =>
      jobs.put({ kind: syncJob(id), key: id, payload: { force: true, ...options } satisfies SyncOrder }),
  };
}

type Client = ReturnType<typeof politeGet>;

/** One client per provider, so that its sync and its details share one rate limit. */
function clientsOf({ fetch, config, clock, retry }: SyncEngineDeps): (provider: Provider) => Client {
  const user_agent = userAgent(config.version, config.public_url);
  const clients = new Map<ProviderId, Client>();
  return (provider) => {
    const known = clients.get(provider.id);
    if (known !== undefined) return known;
    const client = politeGet({ fetch, provider, user_agent, clock, ...defined({ retry: retry || undefined }) });
    clients.set(provider.id, client);
    return client;
  };
}

interface Syncing {
  report: SyncReport;
  client: Client;
}

function syncHandler(deps: SyncEngineDeps, provider: Provider, { report, client }: Syncing): JobHandler {
  const { db, jobs, clock, log, config } = deps;
  return async ({ job, signal, fence }) => {
    const { force = false, accept_fewer = false, full = false } = (job.payload ?? {}) as SyncOrder;
    const dueMs = dueAt(config, provider, await readSyncState(db, provider.id));
    // Another process may have completed this run after the job was queued.
    if (!force && dueMs > clock.now()) return { again_at_ms: dueMs };
    const get = client(signal);
    const state = await runSync({ db, config, provider, get, clock, log, report, signal, fence, accept_fewer, full });
    const againAtMs = Date.parse(state.next_run_at ?? isoTime(clock.now() + config.interval_ms));
    return { again_at_ms: await afterRun(jobs, job, againAtMs, clock) };
  };
}

/** A request is valid for one run. A request that arrived during the run starts the next one at once. */
async function afterRun(jobs: JobTable, job: Lease, againAtMs: number, clock: Clock): Promise<number> {
  const row = (await jobs.list(job.kind)).find((jobRow) => jobRow.id === job.id);
  if (row !== undefined && row.payload !== JSON.stringify(job.payload)) return clock.now();
  if (job.payload !== null) await jobs.put({ kind: job.kind, key: job.key, run_at_ms: againAtMs });
  return againAtMs;
}

/** Deletes expired tombstones, and saves how far back deltas can reach from then on. */
const purgeHandler =
  ({ db, clock }: SyncEngineDeps): JobHandler =>
  async ({ fence, signal }) => {
    const before = isoTime(clock.now() - TOMBSTONE_MS);
    const some = (): Promise<number> =>
      db.transaction().execute(async (trx) => {
        await fence(trx);
        const { count, seq } = await purgeTombstones(trx, before, PURGE_BATCH);
        if (count > 0) await rememberPurged(trx, seq);
        return count;
      });
    while ((await some()) === PURGE_BATCH) signal.throwIfAborted();
    return { again_at_ms: clock.now() + PURGE_EVERY_MS };
  };
