import { createHash } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import { type RefusePackage, serverOf } from '#catalog/install/server-of.ts';
import { type ChangedInstall, changedInstalls } from '#catalog/items/read-items.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import type { JobTable } from '#core/jobs/jobs.ts';
import type { JobHandler, JobRun } from '#core/jobs/worker.ts';
import { PACKAGES } from './host.ts';
import { findHost, forgetHosts } from './hosts.ts';
import type { ProbesDeps } from './probe-host.ts';
import { type ProbeTarget, probeTargetOf } from './probe-target.ts';
import { forgetUnnamed, hostsWithoutJob, nameTarget, unnameTarget } from './targets.ts';

/** The recurring job that follows changed listings and maintains one job per host of a listed server. */

export const PLAN_JOB = 'probes.plan';
export const HOST_JOB = 'probes.host';
const EVERY_MS = 60_000;
const A_PAGE = 200;
const MOST_JOBS = 1_000;
const COUNTER = 'probes_planned';
/** By which rules the listings up to the other counter were planned. */
const RULES_COUNTER = 'probes_planned_by';

interface PlanDeps extends Pick<ProbesDeps, 'db' | 'clock'> {
  jobs: Pick<JobTable, 'put'>;
  /** Whether servers at addresses are probed. */
  is_on: boolean;
  refusePackage: RefusePackage;
  /** Wakes what starts packages, because there are new ones. */
  wakePackages(): Promise<void>;
  /** A digest of the settings that `refusePackage` follows: with another one, all listings are planned again. */
  rules: string;
}

export function plan(deps: PlanDeps): JobHandler {
  let current = false;
  return async (run) => {
    const { db, clock, is_on } = deps;
    // Once per process, so that two processes with different settings do not plan forever.
    if (!current) await followRules(deps, run);
    current = true;
    if (await followChanges(deps, run)) {
      await forgetUnnamed(db);
      await forgetHosts(db, isoTime(clock.now()));
    }
    if (is_on) for (const host of await hostsWithoutJob(db, HOST_JOB, MOST_JOBS)) await scheduleHost(deps, host);
    return { again_at_ms: clock.now() + EVERY_MS };
  };
}

/** Changes when a listing can get another target from the same settings. */
const PLAN_VERSION = 1;
const RULES_BYTES = 6;

async function followRules({ db, rules }: PlanDeps, { fence }: JobRun): Promise<void> {
  const digest = createHash('sha256').update(`${PLAN_VERSION} ${rules}`).digest();
  const value = digest.readUIntBE(0, RULES_BYTES);
  await db.transaction().execute(async (trx) => {
    await fence(trx);
    if ((await readCounter(trx, RULES_COUNTER)) === value) return;
    await trx
      .insertInto('change_counters')
      .values({ name: RULES_COUNTER, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute();
    await trx.updateTable('change_counters').set({ value: 0 }).where('name', '=', COUNTER).execute();
  });
}

/** Runs the host's job as soon as the host may be probed, even if it was planned for a later day. */
async function scheduleHost({ db, clock, jobs }: PlanDeps, host: string): Promise<void> {
  const freeAt = Date.parse((await findHost(db, host))?.next_visit_at ?? isoTime(0));
  await jobs.put({ kind: HOST_JOB, key: host, run_at_ms: Math.max(clock.now(), freeAt) });
}

/** Page by page. Returns whether anything had changed. */
async function followChanges(deps: PlanDeps, { signal, fence }: JobRun): Promise<boolean> {
  let after = { seq: (await readCounter(deps.db, COUNTER)) + 1, provider_id: '', external_id: '' };
  for (let changed = false; ; changed = true) {
    signal.throwIfAborted();
    const rows = await changedInstalls(deps.db, after, A_PAGE);
    const last = rows.at(-1);
    if (last === undefined) return changed;
    // The last sequence number may continue on the next page, so it counts as done only after that.
    const planned = rows.length < A_PAGE ? last.seq : last.seq - 1;
    const hosts = await deps.db.transaction().execute(async (trx) => {
      await fence(trx);
      const found = await saveTargets(trx, rows, deps, isoTime(deps.clock.now()));
      await trx.updateTable('change_counters').set({ value: planned }).where('name', '=', COUNTER).execute();
      return found;
    });
    if ([...hosts].some((host) => host.startsWith(PACKAGES))) await deps.wakePackages();
    if (deps.is_on) for (const host of hosts) if (!host.startsWith(PACKAGES)) await scheduleHost(deps, host);
    after = { seq: last.seq, provider_id: last.provider_id, external_id: last.external_id };
  }
}

/** Returns the hosts, and the queues of packages, with new servers. */
async function saveTargets(
  trx: Transaction<Schema>,
  rows: ChangedInstall[],
  { refusePackage }: PlanDeps,
  now: string,
): Promise<Set<string>> {
  const hosts = new Set<string>();
  for (const row of rows) {
    const { provider_id, external_id, downloads, stars } = row;
    const target = targetOf(row, refusePackage);
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
export function targetOf(
  row: Pick<ChangedInstall, 'removed_at' | 'execution_class' | 'install'>,
  refuse: RefusePackage,
): ProbeTarget | null {
  if (row.removed_at !== null || row.execution_class !== 'mcp' || row.install === null) return null;
  return probeTargetOf(serverOf(JSON.parse(row.install), refuse));
}

async function readCounter(db: Kysely<Schema>, name: string): Promise<number> {
  const row = await db.selectFrom('change_counters').select('value').where('name', '=', name).executeTakeFirst();
  return Number(row?.value ?? 0);
}
