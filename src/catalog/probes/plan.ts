import type { Kysely, Transaction } from 'kysely';
import { remoteOf } from '#catalog/install/remote-of.ts';
import { type ChangedInstall, changedInstalls } from '#catalog/items/read-items.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import type { JobTable } from '#core/jobs/jobs.ts';
import type { JobHandler, JobRun } from '#core/jobs/worker.ts';
import { findHost, forgetHosts } from './hosts.ts';
import type { ProbesDeps } from './probe-host.ts';
import { forgetUnnamed, hostsWithoutJob, nameTarget, unnameTarget } from './targets.ts';

/** The recurring job that follows changed listings and maintains one job per host of a listed server. */

export const PLAN_JOB = 'probes.plan';
export const HOST_JOB = 'probes.host';
const EVERY_MS = 60_000;
const A_PAGE = 200;
const MOST_JOBS = 1_000;
const COUNTER = 'probes_planned';

interface PlanDeps extends Pick<ProbesDeps, 'db' | 'clock'> {
  jobs: Pick<JobTable, 'put'>;
}

export const plan =
  (deps: PlanDeps): JobHandler =>
  async (run) => {
    const { db, clock } = deps;
    if (await followChanges(deps, run)) {
      await forgetUnnamed(db);
      await forgetHosts(db, isoTime(clock.now()));
    }
    for (const host of await hostsWithoutJob(db, HOST_JOB, MOST_JOBS)) await scheduleHost(deps, host);
    return { again_at_ms: clock.now() + EVERY_MS };
  };

/** Runs the host's job as soon as the host may be probed, even if it was planned for a later day. */
async function scheduleHost({ db, clock, jobs }: PlanDeps, host: string): Promise<void> {
  const free_at = Date.parse((await findHost(db, host))?.next_visit_at ?? isoTime(0));
  await jobs.put({ kind: HOST_JOB, key: host, run_at_ms: Math.max(clock.now(), free_at) });
}

/** Page by page. Returns whether anything had changed. */
async function followChanges(deps: PlanDeps, { signal, fence }: JobRun): Promise<boolean> {
  let after = { seq: (await readPlanned(deps.db)) + 1, provider_id: '', external_id: '' };
  for (let changed = false; ; changed = true) {
    signal.throwIfAborted();
    const rows = await changedInstalls(deps.db, after, A_PAGE);
    const last = rows.at(-1);
    if (last === undefined) return changed;
    // The last sequence number may continue on the next page, so it counts as done only after that.
    const planned = rows.length < A_PAGE ? last.seq : last.seq - 1;
    const hosts = await deps.db.transaction().execute(async (trx) => {
      await fence(trx);
      const found = await saveTargets(trx, rows, isoTime(deps.clock.now()));
      await trx.updateTable('change_counters').set({ value: planned }).where('name', '=', COUNTER).execute();
      return found;
    });
    for (const host of hosts) await scheduleHost(deps, host);
    after = { seq: last.seq, provider_id: last.provider_id, external_id: last.external_id };
  }
}

/** Returns the hosts with new servers. */
async function saveTargets(trx: Transaction<Schema>, rows: ChangedInstall[], now: string): Promise<Set<string>> {
  const hosts = new Set<string>();
  for (const row of rows) {
    const { provider_id, external_id, downloads, stars } = row;
    const target = targetOf(row);
    if (target === null) await unnameTarget(trx, row);
    else {
      const named = { provider_id, external_id, target, wanted: downloads + stars };
      const host = await nameTarget(trx, named, now);
      if (host !== null) hosts.add(host);
    }
  }
  return hosts;
}

/** Null if the listing has no server to probe. */
export function targetOf(row: Pick<ChangedInstall, 'removed_at' | 'execution_class' | 'install'>) {
  if (row.removed_at !== null || row.execution_class !== 'mcp' || row.install === null) return null;
  const found = remoteOf(JSON.parse(row.install));
  return 'url' in found ? found : null;
}

async function readPlanned(db: Kysely<Schema>): Promise<number> {
  const row = await db.selectFrom('change_counters').select('value').where('name', '=', COUNTER).executeTakeFirst();
  return Number(row?.value ?? 0);
}
