import { isoTime } from '#core/clock/clock.ts';
import type { ListingRow } from '#core/db/schema.ts';
import { coreProblem } from '#core/errors.ts';
import type { Problem } from '#core/problem/problem.ts';
import { hostOf, isSkipped } from './host.ts';
import { claimHost, findHost, saveHost } from './hosts.ts';
import { targetOf } from './plan.ts';
import { type ProbesDeps, probeTarget, SKIPPED } from './probe-host.ts';
import { findTarget } from './read-probes.ts';
import { saveResult } from './save-result.ts';
import { DAY_MS } from './schedule.ts';
import { nameTarget, targetId, targetText } from './targets.ts';

/**
 * Probes a listing's server for an operator, without waiting for the host's next day, which then starts now. Respects robots.txt
 * and a Retry-After of the host. Returns false if the listing has no server to probe.
 */
export async function probeNow(deps: ProbesDeps, row: ListingRow, signal: AbortSignal): Promise<boolean> {
  const { db, clock } = deps;
  const target = targetOf(row);
  if (target === null) return false;
  const host = hostOf(target.url);
  const now = isoTime(clock.now());
  const wait_until = (await findHost(db, host))?.wait_until ?? null;
  if (isSkipped(deps.skip, host)) throw notProbed(SKIPPED);
  if (wait_until !== null && wait_until > now) throw notProbed(`${host} asked not to be probed before ${wait_until}.`);
  const { provider_id, external_id, downloads, stars } = row;
  const named = { provider_id, external_id, target, wanted: downloads + stars };
  await db.transaction().execute((trx) => nameTarget(trx, named, now));
  const next_visit_at = isoTime(clock.now() + DAY_MS);
  if (!(await claimHost(db, host, now, next_visit_at))) await saveHost(db, { host, next_visit_at });
  const known = await findTarget(db, targetId(targetText(target)));
  if (known === undefined) return false;
  const { result, remember } = await probeTarget(deps, known, signal);
  await db.transaction().execute((trx) => saveResult(trx, known, result, remember, clock.now(), deps.toolsChecked));
  return true;
}

const notProbed = (why: string): Problem =>
  coreProblem('command.invalid', `Not probed: ${why}`, { reason: 'probe_excluded' });
