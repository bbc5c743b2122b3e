import { isoTime } from '#core/clock/clock.ts';
import type { ListingRow } from '#core/db/schema.ts';
import { Problem } from '#core/problem/problem.ts';
import { hostOf, isSkipped } from './host.ts';
import { claimHost, findHost, saveHost } from './hosts.ts';
import { targetOf } from './plan.ts';
import { findTarget } from './read-probes.ts';
import { saveSeen } from './save-seen.ts';
import { nameTarget, targetId, targetText } from './targets.ts';
import { DAY_MS } from './times.ts';
import { LEFT_ALONE, lookAt, type ProbesDeps } from './visit-host.ts';

/**
 * Visits a listing's server now, by order of an operator: without waiting for its host's day, which is taken by this.
 * What its host says in robots.txt, and a time until which it wants to be left alone, hold all the same. Answers false
 * where the listing names nothing to visit.
 */
export async function probeNow(deps: ProbesDeps, row: ListingRow, signal: AbortSignal): Promise<boolean> {
  const { db, clock } = deps;
  const target = targetOf(row);
  if (target === null) return false;
  const host = hostOf(target.url);
  const now = isoTime(clock.now());
  const wait_until = (await findHost(db, host))?.wait_until ?? null;
  if (isSkipped(deps.skip, host)) throw leftAlone(LEFT_ALONE);
  if (wait_until !== null && wait_until > now) throw leftAlone(`${host} asked not to be visited before ${wait_until}.`);
  const { provider_id, external_id, downloads, stars } = row;
  const named = { provider_id, external_id, target, wanted: downloads + stars };
  await db.transaction().execute((trx) => nameTarget(trx, named, now));
  const next_visit_at = isoTime(clock.now() + DAY_MS);
  if (!(await claimHost(db, host, now, next_visit_at))) await saveHost(db, { host, next_visit_at });
  const known = await findTarget(db, targetId(targetText(target)));
  if (known === undefined) return false;
  const { seen, remember } = await lookAt(deps, known, signal);
  await db.transaction().execute((trx) => saveSeen(trx, known, seen, remember, clock.now(), deps.toolsChecked));
  return true;
}

const leftAlone = (why: string): Problem => new Problem('conflict', 'probes.left_alone', `Nothing was visited: ${why}`);
