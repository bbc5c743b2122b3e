import type { Kysely } from 'kysely';
import { dayOf } from '#accounts/quotas/quota.ts';
import type { Schema } from '#core/db/schema.ts';
import { clientBucket, networksAround } from '#core/limits/client-bucket.ts';
import { type TrialLevel, tooManyTrials } from './refusals.ts';

/** Runs without an account, counted per UTC day: the only SQL that uses `trial_days`. */

type Db = Kysely<Schema>;

export interface TrialLimits {
  per_address: number;
  per_day: number;
}

interface Level {
  name: TrialLevel;
  bucket: string;
  most: number;
}

const TOTAL = 'all';
const DAY_MS = 86_400_000;
/** What the small and the large network around an address may use of the total, so that nobody uses it up alone. */
const SHARES = [0.1, 0.25];

/** From the narrowest to the total. Everyone counts in this order, so that no two requests wait for each other. */
function levelsOf(address: string, { per_address, per_day }: TrialLimits): Level[] {
  const networks = networksAround(address).map((bucket, at): Level => {
    const most = Math.max(per_address, Math.floor(per_day * (SHARES[at] as number)));
    return { name: 'network', bucket, most };
  });
  return [
    { name: 'address', bucket: clientBucket(address), most: per_address },
    ...networks,
    { name: 'total', bucket: TOTAL, most: per_day },
  ];
}

/**
 * Counts one run. All levels in one transaction, each in one statement, so that no number of requests and processes exceeds
 * a limit, and a refused request counts nowhere. Returns how many are left for the address.
 *
 * @throws Problem 429 `trials.limit_exceeded`
 */
export async function takeTrial(db: Db, address: string, limits: TrialLimits, now_ms: number): Promise<number> {
  const day = dayOf(now_ms);
  return db.transaction().execute(async (trx) => {
    const left: number[] = [];
    for (const { name, bucket, most } of levelsOf(address, limits)) {
      const row = await trx
        .insertInto('trial_days')
        .values({ day, bucket, used: 1 })
        .onConflict((conflict) =>
          conflict
            .columns(['day', 'bucket'])
            .doUpdateSet((eb) => ({ used: eb('trial_days.used', '+', 1) }))
            .where('trial_days.used', '<', most),
        )
        .returning('used')
        .executeTakeFirst();
      if (row === undefined || row.used > most) throw tooManyTrials(name, most, untilTomorrow(now_ms));
      left.push(most - row.used);
    }
    return Math.min(...left);
  });
}

/** How many more runs this address may start today. */
export async function trialsLeft(db: Db, address: string, limits: TrialLimits, now_ms: number): Promise<number> {
  const levels = levelsOf(address, limits);
  const rows = await db
    .selectFrom('trial_days')
    .select(['bucket', 'used'])
    .where('day', '=', dayOf(now_ms))
    .where(
      'bucket',
      'in',
      levels.map(({ bucket }) => bucket),
    )
    .execute();
  const used = new Map(rows.map((row) => [row.bucket, row.used]));
  return Math.max(0, Math.min(...levels.map(({ bucket, most }) => most - (used.get(bucket) ?? 0))));
}

/** Up to `most` rows of days before the one of this ISO time. Returns their number. */
export async function removeTrialDays(db: Db, before: string, most: number): Promise<number> {
  const day = before.slice(0, 10);
  const old = await db.selectFrom('trial_days').select(['day', 'bucket']).where('day', '<', day).limit(most).execute();
  for (const row of old)
    await db.deleteFrom('trial_days').where('day', '=', row.day).where('bucket', '=', row.bucket).execute();
  return old.length;
}

export const untilTomorrow = (now_ms: number): number => (Math.floor(now_ms / DAY_MS) + 1) * DAY_MS - now_ms;
