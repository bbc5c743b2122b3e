import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '#core/db/open.ts';
import { type Check, type Finding, fail, ok, warn } from '#core/doctor/check.ts';

/** Compares this host's clock with others, because leases, tokens, challenges and receipts depend on it. */

/** The time that another host reported. */
export interface TimeTold {
  by: string;
  told_ms: number;
  /** This host's time halfway between request and response. */
  here_ms: number;
}

interface ClockCheckDeps {
  /** Null if there is no readable database. */
  database: Pick<Database, 'db' | 'engine'> | null;
  /** Times reported by external servers, in whole seconds. */
  told(signal: AbortSignal): Promise<TimeTold[]>;
}

const NTP = 'Synchronize the clock by NTP: timedatectl set-ntp true';
/** Half a lease. With a larger difference, two processes could hold the same job. */
const DATABASE_FAIL_MS = 4_000;
const DATABASE_WARN_MS = 1_000;
const OUTSIDE_FAIL_MS = 30_000;
const OUTSIDE_WARN_MS = 3_000;
const WATCHED_MS = 1_000;
const JUMP_MS = 50;

export const clockCheck = ({ database, told }: ClockCheckDeps): Check => ({
  name: 'clock',
  run: async (signal) => {
    const [stored, outside, jump] = await Promise.all([
      database === null ? [] : database.engine === 'postgres' ? againstServer(database) : againstRows(database),
      told(signal).then(againstOutside),
      jumps(signal),
    ]);
    return [...stored, ...outside, ...jump];
  },
});

async function againstServer({ db }: Pick<Database, 'db'>): Promise<Finding[]> {
  const askedMs = Date.now();
  const { rows } = await sql<{ ms: number }>`SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms`.execute(db);
  const hereMs = (askedMs + Date.now()) / 2;
  return [judged("the database server's", (rows[0] as { ms: number }).ms - hereMs, DATABASE_WARN_MS, DATABASE_FAIL_MS)];
}

/** SQLite has no clock, so this compares with timestamps that were stored when they were current. */
async function againstRows({ db }: Pick<Database, 'db'>): Promise<Finding[]> {
  const { newest } = await db
    .selectFrom(
      db
        .selectFrom('jobs')
        .select('created_at as at')
        .unionAll(db.selectFrom('schema_migrations').select('applied_at as at'))
        .as('written'),
    )
    .select((eb) => eb.fn.max('at').as('newest'))
    .executeTakeFirstOrThrow();
  const aheadMs = newest === null ? 0 : Date.parse(newest) - Date.now();
  if (aheadMs <= DATABASE_WARN_MS) return [ok('The database has no timestamps in the future.')];
  return [fail(`The database has a timestamp in the future (${newest}): the clock was set back.`, NTP)];
}

function againstOutside(told: readonly TimeTold[]): Finding[] {
  if (told.length === 0) return [ok('Not compared with another clock: no external time available.')];
  const sorted = told.toSorted((a, b) => a.told_ms - a.here_ms - (b.told_ms - b.here_ms));
  const middle = sorted[Math.floor(sorted.length / 2)] as TimeTold;
  // The reported seconds are truncated, so add half a second.
  return [judged(`${middle.by}'s`, middle.told_ms + 500 - middle.here_ms, OUTSIDE_WARN_MS, OUTSIDE_FAIL_MS)];
}

function judged(whose: string, aheadMs: number, warnMs: number, failMs: number): Finding {
  const sizeMs = Math.abs(aheadMs);
  if (sizeMs < warnMs) return ok(`Within ${warnMs / 1_000} s of ${whose}.`);
  const seen = `${(sizeMs / 1_000).toFixed(1)} s ${aheadMs > 0 ? 'behind' : 'ahead of'} ${whose}.`;
  return sizeMs < failMs ? warn(seen, NTP) : fail(seen, NTP);
}

/** Checks whether the wall clock advances evenly. */
async function jumps(signal: AbortSignal): Promise<Finding[]> {
  const offset = () => Date.now() - performance.now();
  const before = offset();
  await sleep(WATCHED_MS, null, { signal });
  const jumpedMs = offset() - before;
  return Math.abs(jumpedMs) < JUMP_MS
    ? [ok('It runs evenly.')]
    : [
        warn(
          `It jumped by ${Math.round(jumpedMs)} ms within ${WATCHED_MS / 1_000} s.`,
          `${NTP}; NTP does not step the clock every second`,
        ),
      ];
}
