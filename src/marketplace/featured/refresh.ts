import type { Kysely } from 'kysely';
import { nextCapabilitySeq, touchCapabilities } from '#catalog/identity/capabilities.ts';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import { connectionOver } from '#core/db/connection-over.ts';
import type { Database } from '#core/db/open.ts';
import type { Schema } from '#core/db/schema.ts';
import type { JobHandler } from '#core/jobs/worker.ts';
import { type FeaturedStanding, listFeaturedRows, removeFeatured, setFeatured } from './featured.ts';
import { type Proven, pickProven } from './pick-proven.ts';
import { readProven } from './read-proven.ts';

/** The recurring job that updates capabilities featured by proof, and ends expired entries. */

/** Maximum number of entries besides those chosen by operators. */
const MOST = 8;

interface RefreshDeps {
  db: Kysely<Schema>;
  clock: Clock;
  engine: Database['engine'];
}

type Fence = Parameters<JobHandler>[0]['fence'];

export async function refreshFeatured(deps: RefreshDeps, fence: Fence): Promise<void> {
  const now = isoTime(deps.clock.now());
  const proven = await readProven(connectionOver(deps.db, deps.engine), deps.db, deps.clock.now());
  await deps.db.transaction().execute(async (trx) => {
    await fence(trx);
    await nextCapabilitySeq(trx);
    const rows = await listFeaturedRows(trx);
    const over = rows.filter(({ until }) => until !== null && until <= now);
    const curated = rows.filter((row) => row.origin === 'curated' && !over.includes(row));
    const picked = pickProven(proven, new Set(curated.map(({ stands_id }) => stands_id)), MOST);
    const changed = [...(await end(trx, over)), ...(await renew(trx, rows, picked, now))];
    await touchCapabilities(trx, changed, deps.clock.now());
  });
}

async function end(trx: Kysely<Schema>, over: readonly FeaturedStanding[]): Promise<string[]> {
  const ids = over.map(({ capability_id }) => capability_id);
  await removeFeatured(trx, ids);
  return ids;
}

/** Entries that stay keep their start time. Returns the changed ids. */
async function renew(
  trx: Kysely<Schema>,
  rows: readonly FeaturedStanding[],
  picked: readonly Proven[],
  now: string,
): Promise<string[]> {
  const before = rows.filter(({ origin }) => origin === 'automatic');
  const gone = before
    .filter((row) => !picked.some(({ id }) => id === row.capability_id))
    .map((row) => row.capability_id);
  await removeFeatured(trx, gone, 'automatic');
  const changed = [...gone];
  for (const [place, { id, reason }] of picked.entries()) {
    const old = before.find(({ capability_id }) => capability_id === id);
    if (old?.place === place && old.reason === reason) continue;
    const row = { capability_id: id, origin: 'automatic', reason, place, since: old?.since ?? now, until: null };
    await setFeatured(trx, row, [id]);
    if (old === undefined) changed.push(id);
  }
  return changed;
}
