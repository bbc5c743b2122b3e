import { type Kysely, sql } from 'kysely';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { Database } from '#core/db/open.ts';
import type { Schema } from '#core/db/schema.ts';
import type { JobTable } from '#core/jobs/jobs.ts';
import type { JobKind } from '#core/jobs/worker.ts';
import type { Log } from '#core/log.ts';
import { STORAGE_KINDS, type StorageKind } from './charged.ts';
import { measureStorage, noUsage, type StorageUsage } from './usage.ts';

/**
 * The job that adds changes to `storage_usage` and recounts each account once a day: accounts from before the triggers,
 * and rows changed without them, are corrected within that time.
 */

type Db = Kysely<Schema>;
type Fence = Parameters<JobKind['handler']>[0]['fence'];

const KIND = 'storage.count';
const EVERY_MS = 5_000;
/** Rows per statement. */
const MOST_DELTAS = 10_000;
const MEASURED_EVERY_MS = 86_400_000;
/** Accounts per run of the job, each in its own transaction. */
const MOST_ACCOUNTS = 50;

interface StorageCountDeps {
  database: Pick<Database, 'db' | 'engine'>;
  clock: Clock;
  log: Pick<Log, 'warn'>;
  /** Called for every recounted account whose counter was off by `bytes`. */
  onDrift?(bytes: number): void;
}

export const storageCountKinds = (deps: StorageCountDeps): Record<string, JobKind> => ({
  [KIND]: {
    concurrency: 1,
    handler: async ({ fence, signal }) => {
      const { db, engine } = deps.database;
      if (engine === 'postgres') while (!signal.aborted && (await foldDeltas(db, fence)) === MOST_DELTAS);
      for (const { id, storage_measured_at } of await listStale(db, deps.clock.now())) {
        if (signal.aborted) break;
        const drift = await remeasure(db, { user_id: id, now: isoTime(deps.clock.now()) });
        if (storage_measured_at === null || drift === null || drift === 0) continue;
        deps.log.warn({ id, bytes: drift }, 'corrected the storage counter of an account');
        deps.onDrift?.(Math.abs(drift));
      }
      return { again_at_ms: deps.clock.now() + EVERY_MS };
    },
  },
});

export const scheduleStorageCount = (jobs: Pick<JobTable, 'put'>): Promise<void> =>
  jobs.put({ kind: KIND, key: 'all' });

/** Adds pending changes to the counters. Returns their number; changes of deleted accounts are dropped. */
export const foldDeltas = (db: Db, fence: Fence = async () => {}): Promise<number> =>
  db.transaction().execute(async (trx) => {
    await fence(trx);
    const { rows } = await sql<{ deltas: number }>`
      WITH taken AS (
        DELETE FROM storage_deltas WHERE ctid = ANY (ARRAY(SELECT ctid FROM storage_deltas LIMIT ${MOST_DELTAS}))
        RETURNING user_id, kind, bytes),
      added AS (
        INSERT INTO storage_usage (user_id, kind, bytes)
        SELECT user_id, kind, sum(bytes)::bigint FROM taken
        WHERE EXISTS (SELECT 1 FROM users u WHERE u.id = taken.user_id) GROUP BY user_id, kind
        ON CONFLICT (user_id, kind) DO UPDATE SET bytes = storage_usage.bytes + excluded.bytes)
      SELECT count(*)::int AS deltas FROM taken`.execute(trx);
    return rows[0]?.deltas ?? 0;
  });

/**
 * Recounts an account. Returns the missing bytes, or null if PostgreSQL could not tell because the account was changed
 * meanwhile.
 */
export async function remeasure(db: Db, account: { user_id: string; now: string }): Promise<number | null> {
  try {
    // One snapshot of rows, changes and sums: a concurrent change is in all of them or in none.
    return await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute((trx) => setMeasured(trx, account));
  } catch (error) {
    if ((error as { code?: unknown }).code === SERIALIZATION_FAILURE) return null;
    throw error;
  }
}

const SERIALIZATION_FAILURE = '40001';

async function setMeasured(trx: Db, { user_id, now }: { user_id: string; now: string }): Promise<number> {
  const [counted, waiting] = [await sumOf(trx, 'storage_usage', user_id), await sumOf(trx, 'storage_deltas', user_id)];
  const found = await measureStorage(trx, user_id);
  let drift = 0;
  for (const kind of STORAGE_KINDS) {
    const bytes = found[kind] - waiting[kind];
    if (bytes === counted[kind]) continue;
    drift += bytes - counted[kind];
    await trx
      .insertInto('storage_usage')
      .values({ user_id, kind, bytes })
      .onConflict((conflict) => conflict.columns(['user_id', 'kind']).doUpdateSet({ bytes }))
      .execute();
  }
  await trx.updateTable('users').set({ storage_measured_at: now }).where('id', '=', user_id).execute();
  return drift;
}

async function sumOf(db: Db, table: 'storage_usage' | 'storage_deltas', userId: string): Promise<StorageUsage> {
  const rows = await db
    .selectFrom(table)
    .select(['kind', (of) => of.fn.sum<number>('bytes').as('bytes')])
    .where('user_id', '=', userId)
    .groupBy('kind')
    .execute();
  const usage = noUsage();
  for (const { kind, bytes } of rows) usage[kind as StorageKind] = Number(bytes);
  return usage;
}

/** Accounts that were never counted first, then those counted longest ago. */
async function listStale(db: Db, nowMs: number) {
  const users = db.selectFrom('users').select(['id', 'storage_measured_at']);
  const never = await users.where('storage_measured_at', 'is', null).limit(MOST_ACCOUNTS).execute();
  const old = await users
    .where('storage_measured_at', '<', isoTime(nowMs - MEASURED_EVERY_MS))
    .orderBy('storage_measured_at')
    .limit(MOST_ACCOUNTS)
    .execute();
  return [...never, ...old].slice(0, MOST_ACCOUNTS);
}

interface Drift {
  user_id: string;
  /** Positive if the counter is too high. */
  bytes: number;
}

/** Returns the accounts with wrong counters among the largest that were counted before. Read-only. */
export async function findDrift(db: Db, most: number): Promise<Drift[]> {
  const largest = await db
    .selectFrom('storage_usage')
    .innerJoin('users', 'users.id', 'storage_usage.user_id')
    .where('users.storage_measured_at', 'is not', null)
    .select('storage_usage.user_id')
    .groupBy('storage_usage.user_id')
    .orderBy((of) => of.fn.sum('bytes'), 'desc')
    .limit(most)
    .execute();
  const found: Drift[] = [];
  for (const { user_id } of largest) {
    const bytes = await driftOf(db, user_id);
    if (bytes !== 0 && bytes === (await driftOf(db, user_id))) found.push({ user_id, bytes });
  }
  return found;
}

/** Without a transaction, because a database opened read-only allows none, so concurrent writes can look like drift. */
async function driftOf(db: Db, userId: string): Promise<number> {
  const [counted, waiting] = [await sumOf(db, 'storage_usage', userId), await sumOf(db, 'storage_deltas', userId)];
  const stored = await measureStorage(db, userId);
  return STORAGE_KINDS.reduce((sum, kind) => sum + counted[kind] + waiting[kind] - stored[kind], 0);
}
