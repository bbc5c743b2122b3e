import type { Kysely } from 'kysely';
import { type Clock, isoTime } from '../../../platform/clock.ts';
import type { Schema } from '../../../platform/db/schema.ts';
import type { JobTable } from '../../../platform/jobs/jobs.ts';
import type { JobHandler, JobKind } from '../../../platform/jobs/worker.ts';
import type { Log } from '../../../platform/log.ts';
import type { OutboundFetch } from '../../../platform/outbound.ts';
import { Problem } from '../../../platform/problem.ts';
import { rememberPurged } from '../changes.ts';
import { purgeTombstones } from '../items.ts';
import type { ProviderId } from '../kinds.ts';
import { politeGet, userAgent } from './get.ts';
import type { Get, Provider } from './provider.ts';
import type { RetryPolicy } from './retry.ts';
import { runSync } from './run-sync.ts';
import { dueAt, isEnabled, type SyncConfig } from './sync-plan.ts';
import { createSyncReport } from './sync-report.ts';
import { packError, readSyncState, writeSyncState } from './sync-states.ts';

/** The sync chain as jobs: one row per enabled provider, so that whoever holds its lease syncs it, once. */

export interface SyncEngineDeps {
  db: Kysely<Schema>;
  jobs: JobTable;
  clock: Clock;
  log: Log;
  fetch: OutboundFetch;
  config: SyncConfig;
  /** The doors; those that the configuration leaves out are not opened. */
  providers: readonly Provider[];
  retry?: RetryPolicy;
}

export interface SyncEngine {
  kinds: Record<string, JobKind>;
  /** Puts the jobs of the enabled providers, due when their last run is older than the interval. */
  schedule(): Promise<void>;
  /** Makes one provider due now. `accept_fewer`: far fewer listings than before are right this once. */
  syncNow(id: ProviderId, options?: { accept_fewer?: boolean }): Promise<void>;
}

/** The payload of a sync that an operator ordered. */
interface SyncOrder {
  force?: boolean;
  accept_fewer?: boolean;
}

export const SYNC_JOB = 'registry.sync';
export const PURGE_JOB = 'registry.purge';
export const TOMBSTONE_DAYS = 30;
const DAY_MS = 86_400_000;
const PURGE_EVERY_MS = 6 * 3_600_000;

export const createSyncEngine = (deps: SyncEngineDeps): SyncEngine => {
  const { db, jobs, config } = deps;
  const doors = new Map<string, Provider>(deps.providers.map((it) => [it.id, it]));
  return {
    kinds: {
      // As many at once as there are doors, so that one that hangs holds up no other.
      [SYNC_JOB]: { handler: syncHandler(deps, doors), concurrency: Math.max(doors.size, 1) },
      [PURGE_JOB]: { handler: purgeHandler(deps), concurrency: 1 },
    },
    schedule: async () => {
      await jobs.put({ kind: PURGE_JOB, key: 'tombstones' });
      for (const provider of doors.values()) {
        if (!isEnabled(config, provider.id)) {
          await switchOff(db, provider.id);
          continue;
        }
        const run_at_ms = Math.max(dueAt(config, provider, await readSyncState(db, provider.id)), 0);
        await jobs.put({ kind: SYNC_JOB, key: provider.id, run_at_ms });
      }
    },
    syncNow: (id, { accept_fewer = false } = {}) =>
      jobs.put({ kind: SYNC_JOB, key: id, payload: { force: true, accept_fewer } satisfies SyncOrder }),
  };
};

const syncHandler = (deps: SyncEngineDeps, doors: Map<string, Provider>): JobHandler => {
  const { db, jobs, clock, log, fetch, config, retry } = deps;
  const report = createSyncReport(log);
  const user_agent = userAgent(config.version, config.public_url);
  const lines = new Map<string, (signal: AbortSignal) => Get>();
  const lineOf = (provider: Provider) => {
    const line =
      lines.get(provider.id) ?? politeGet({ fetch, provider, user_agent, clock, ...(retry ? { retry } : {}) });
    lines.set(provider.id, line);
    return line;
  };
  return async ({ job, signal, fence }) => {
    const provider = doors.get(job.key);
    if (provider === undefined || !isEnabled(config, provider.id)) return null;
    const { force = false, accept_fewer = false } = (job.payload ?? {}) as SyncOrder;
    const due_ms = dueAt(config, provider, await readSyncState(db, provider.id));
    // Another process may have done this very run between our look at the state and our putting the job.
    if (!force && due_ms > clock.now()) return { again_at_ms: due_ms };
    const get = lineOf(provider)(signal);
    const state = await runSync({ db, config, provider, get, clock, log, report, signal, fence, accept_fewer });
    const again_at_ms = Date.parse(state.next_run_at ?? isoTime(clock.now() + config.interval_ms));
    // The order is carried out: it must not hold for the runs that follow.
    if (force) await jobs.put({ kind: SYNC_JOB, key: provider.id, run_at_ms: again_at_ms });
    return { again_at_ms };
  };
};

/** Says of a provider that the configuration leaves out that it is not synced; what it brought before stays. */
const switchOff = async (db: Kysely<Schema>, id: ProviderId): Promise<void> => {
  const state = await readSyncState(db, id);
  const detail = 'CAPSTAN_PROVIDERS leaves it out.';
  const error = packError(new Problem('upstream_failed', 'registry.provider_off', detail));
  if (state.error !== error)
    await writeSyncState(db, { ...state, status: 'disabled', cursor: null, error, next_run_at: null });
};

/** Deletes tombstones that have stood their time, and remembers how far back a delta can reach from then on. */
const purgeHandler =
  ({ db, clock }: SyncEngineDeps): JobHandler =>
  async ({ fence }) => {
    await db.transaction().execute(async (trx) => {
      await fence(trx);
      const seq = await purgeTombstones(trx, isoTime(clock.now() - TOMBSTONE_DAYS * DAY_MS));
      if (seq !== null) await rememberPurged(trx, seq);
    });
    return { again_at_ms: clock.now() + PURGE_EVERY_MS };
  };
