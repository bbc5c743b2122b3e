import type { Clock } from '#core/clock/clock.ts';
import type { Database } from '#core/db/open.ts';
import { EXPIRING_TABLES, type ExpiringTable, removeExpired } from '#core/db/remove-expired.ts';
import { expiryKind, scheduleExpiry } from './expiry.ts';
import type { JobTable } from './jobs.ts';
import type { JobKind } from './worker.ts';

/**
 * Expired rows are normally deleted when others of their kind are inserted. If none are, these jobs delete the last
 * ones, which contain networks and addresses of people.
 */

/** Expired rows are kept this long, so that an expired link is distinguishable from an unknown one. */
const KEPT_MS = 2 * 86_400_000;
const BATCH = 500;

const kindOf = (table: ExpiringTable): string => `expire.${table}`;

export const expireRowsKinds = ({ db, engine }: Database, clock: Clock, batch = BATCH): Record<string, JobKind> =>
  Object.assign(
    {},
    ...EXPIRING_TABLES.map((table) =>
      expiryKind({
        kind: kindOf(table),
        db,
        clock,
        kept_ms: KEPT_MS,
        batch,
        remove: (trx, before, most) => removeExpired({ db: trx, engine }, table, Date.parse(before), most),
      }),
    ),
  );

export async function scheduleExpireRows(jobs: Pick<JobTable, 'put'>): Promise<void> {
  for (const table of EXPIRING_TABLES) await scheduleExpiry(jobs, kindOf(table));
}
