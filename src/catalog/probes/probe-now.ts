import type { RefusePackage } from '#catalog/install/server-of.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { ListingRow } from '#core/db/schema.ts';
import { coreProblem } from '#core/errors.ts';
import type { Problem } from '#core/problem/problem.ts';
import { hostOf, isSkipped } from './host.ts';
import { claimHost, findHost, saveHost } from './hosts.ts';
import { targetOf } from './plan.ts';
import { type ProbesDeps, probeTarget, SKIPPED } from './probe-host.ts';
import { type PackageProbesDeps, probeStored } from './probe-packages.ts';
import { isPackage, targetText } from './probe-target.ts';
import { findTarget } from './read-probes.ts';
import { saveResult } from './save-result.ts';
import { DAY_MS } from './schedule.ts';
import { nameTarget, targetId } from './targets.ts';

export interface ProbeNowDeps extends ProbesDeps, Pick<PackageProbesDeps, 'servers'> {
  refusePackage: RefusePackage;
}

/**
 * Probes a listing's server for an operator, without waiting for the host's next day, which then starts now. Respects robots.txt
 * and a Retry-After of the host. A package is started at once. Returns false if the listing has no server to probe.
 */
export async function probeNow(deps: ProbeNowDeps, row: ListingRow, signal: AbortSignal): Promise<boolean> {
  const { db, clock } = deps;
  const target = targetOf(row, deps.refusePackage);
  if (target === null) return false;
  const now = isoTime(clock.now());
  const named = {
    provider_id: row.provider_id,
    external_id: row.external_id,
    target,
    wanted: row.downloads + row.stars,
  };
  const id = targetId(targetText(target));
  if (isPackage(target)) {
    await db.transaction().execute((trx) => nameTarget(trx, named, now));
    const known = await findTarget(db, id);
    if (known === undefined) return false;
    const save = await probeStored(deps, known, signal, true);
    await db.transaction().execute(save);
    return true;
  }
  const host = hostOf(target.url);
  const waitUntil = (await findHost(db, host))?.wait_until ?? null;
  if (isSkipped(deps.skip, host)) throw notProbed(SKIPPED);
  if (waitUntil !== null && waitUntil > now) throw notProbed(`${host} asked not to be probed before ${waitUntil}.`);
  await db.transaction().execute((trx) => nameTarget(trx, named, now));
  const next_visit_at = isoTime(clock.now() + DAY_MS);
  if (!(await claimHost(db, host, now, next_visit_at))) await saveHost(db, { host, next_visit_at });
  const known = await findTarget(db, id);
  if (known === undefined) return false;
  const { result, remember } = await probeTarget(deps, known, signal);
  await db.transaction().execute((trx) => saveResult(trx, known, result, remember, clock.now(), deps.toolsChecked));
  return true;
}

const notProbed = (why: string): Problem =>
  coreProblem('command.invalid', `Not probed: ${why}`, { reason: 'probe_excluded' });
