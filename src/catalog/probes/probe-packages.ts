import type { Kysely, Transaction } from 'kysely';
import { PROVIDERS } from '#catalog/items/kinds.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import type { ProbeTargetRow } from '#core/db/schema-probes.ts';
import type { JobHandler } from '#core/jobs/worker.ts';
import { Problem } from '#core/problem/problem.ts';
import { PACKAGES, packageQueue } from './host.ts';
import { claimHost, findHost } from './hosts.ts';
import type { ProbesDeps } from './probe-host.ts';
import { probePackage, type StartPackages } from './probe-package.ts';
import { isPinned, type ProbedPackage } from './probe-target.ts';
import { savePackageResult } from './save-result.ts';
import { DAY_MS, postponedUntil } from './schedule.ts';
import { claimTarget, nextPackage, postponeTarget } from './targets.ts';

/** The jobs that start packages: one after the other per slot, at the pace that the operator set. Providers take turns. */

export const PACKAGE_JOB = 'probes.package';

export interface PackageProbesDeps extends Pick<ProbesDeps, 'db' | 'clock' | 'probed' | 'toolsChecked'> {
  servers: StartPackages;
  per_day: number;
  /** Number of slots, of which each is a job. */
  concurrency: number;
}

const SLOT = /^slot-(\d+)$/;
export const slotKeys = (concurrency: number): string[] =>
  Array.from({ length: concurrency }, (_, index) => `slot-${index + 1}`);

const IDLE_MS = 60_000;

export const probePackages =
  (deps: PackageProbesDeps): JobHandler =>
  async ({ job, signal, fence }) => {
    const { db, clock, concurrency, per_day } = deps;
    if (Number(SLOT.exec(job.key)?.[1] ?? 0) > concurrency) return null;
    const inOne = <T>(work: (trx: Transaction<Schema>) => Promise<T>) =>
      db.transaction().execute(async (trx) => {
        await fence(trx);
        return work(trx);
      });
    const pace = `${PACKAGES}${job.key}`;
    const gapMs = Math.ceil((DAY_MS * concurrency) / per_day);
    const target = await inOne((trx) => takePackage(trx, pace, clock.now(), gapMs));
    if (target !== null) await inOne(await probeStored(deps, target, signal));
    const freeAt = Date.parse((await findHost(db, pace))?.next_visit_at ?? isoTime(0));
    return { again_at_ms: Math.max(freeAt, target === null ? clock.now() + IDLE_MS : clock.now()) };
  };

/** Claims the slot's turn and a package; null if none is due, or the slot must wait. */
async function takePackage(
  trx: Transaction<Schema>,
  pace: string,
  nowMs: number,
  gapMs: number,
): Promise<ProbeTargetRow | null> {
  const now = isoTime(nowMs);
  const waitsUntil = (await findHost(trx, pace))?.next_visit_at ?? now;
  if (waitsUntil > now) return null;
  for (const queue of await queuesInTurn(trx)) {
    const target = await nextPackage(trx, queue, now);
    if (target === undefined || !(await claimTarget(trx, target.id, now, isoTime(nowMs + DAY_MS)))) continue;
    await claimHost(trx, pace, now, isoTime(nowMs + gapMs));
    await claimHost(trx, queue, now, now);
    return target;
  }
  return null;
}

/** The queue that was served longest ago comes first. */
async function queuesInTurn(trx: Transaction<Schema>): Promise<string[]> {
  const queues = PROVIDERS.map(packageQueue);
  const rows = await trx
    .selectFrom('probe_hosts')
    .select(['host', 'next_visit_at'])
    .where('host', 'in', queues)
    .execute();
  const served = new Map(rows.map(({ host, next_visit_at }) => [host, next_visit_at]));
  const at = (queue: string): string => served.get(queue) ?? '';
  return queues.sort((a, b) => (at(a) < at(b) ? -1 : at(a) > at(b) ? 1 : 0));
}

/** Probes, and answers what saves the result. Throws why it could not be tried where `or_throw` is set. */
export async function probeStored(
  { servers, clock, probed, toolsChecked }: Pick<PackageProbesDeps, 'servers' | 'clock' | 'probed' | 'toolsChecked'>,
  target: ProbeTargetRow,
  signal: AbortSignal,
  or_throw = false,
): Promise<(trx: Kysely<Schema>) => Promise<void>> {
  const asked = JSON.parse(target.target) as ProbedPackage;
  const result = await probePackage(servers, asked, signal);
  if (result instanceof Problem && or_throw) throw result;
  if (result instanceof Problem) {
    // Otherwise packages that can never be tried would take the turns of all others.
    const failures = target.failures + 1;
    return (trx) => postponeTarget(trx, target.id, failures, isoTime(postponedUntil(clock.now(), failures)));
  }
  probed(result.reason);
  return (trx) => savePackageResult(trx, target, result, isPinned(asked), clock.now(), toolsChecked);
}
