import { type ExpressionBuilder, type Kysely, sql, type Transaction, type UpdateObject } from 'kysely';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { Database } from '#core/db/open.ts';
import type { JobRow, Schema } from '#core/db/schema.ts';
import { newId } from '#core/ids.ts';

/**
 * The job table with leases. Together with fence.ts and read-queue.ts, the only SQL that uses `jobs`. At most one
 * worker holds a job, even after crashes.
 */

interface NewJob {
  kind: string;
  /** Unique within the kind: putting the same job twice leaves one. */
  key: string;
  payload?: unknown;
  /** The share it counts against (`identityOf`); omitted for the service's own work. */
  share?: string;
  /** When it is due; default: now. */
  run_at_ms?: number;
}

/** A leased job. `attempt` is a fencing token: the holder of an older attempt can no longer write. */
export interface Lease {
  id: string;
  kind: string;
  key: string;
  payload: unknown;
  attempt: number;
  /** Consecutive failures before this attempt. */
  failures: number;
  share: string | null;
}

/** Jobs to leave to other workers or for later. */
export interface Skipped {
  shares: readonly string[];
  /** Jobs of new accounts. */
  guests: boolean;
}

/** Thrown by `fence` if another worker has taken over the job. */
export class LeaseLost extends Error {
  override name = 'LeaseLost';
}

/** The job table as workers and schedulers use it. */
export interface JobTable {
  /** Adds the job, or makes it due earlier if it is already scheduled. */
  put(job: NewJob): Promise<void>;
  /**
   * Leases a due job of these kinds, or returns null. Order: the service's own jobs, then the share with the fewest
   * leased jobs, then the share served longest ago, then the longest due.
   */
  claim(kinds: readonly string[], worker: string, leaseMs: number, skipped?: Skipped): Promise<Lease | null>;
  /** Extends the lease. Returns false if it is lost. */
  heartbeat(lease: Lease, leaseMs: number): Promise<boolean>;
  /** Lets a transaction commit only while the lease is held, and locks the job's row until then. */
  fence(trx: Transaction<Schema>, lease: Lease): Promise<void>;
  /** Ends the job: deletes it, or schedules it again at `again_at_ms`. */
  complete(lease: Lease, againAtMs: number | null): Promise<void>;
  /** Releases the job after a failure, due again at `again_at_ms`. */
  fail(lease: Lease, error: string, againAtMs: number): Promise<void>;
  /** Releases the job unchanged, due immediately, when a worker stops. */
  giveBack(lease: Lease): Promise<void>;
  list(kind: string): Promise<JobRow[]>;
  /** Corrects times after the clock was wrong: due times and leases move forward by `by_ms`. */
  bringForward(byMs: number): Promise<void>;
}

/** Like `JobTable.put`, in the caller's transaction: the job exists only if it commits. */
export const putJob = (trx: Db, job: NewJob, now_ms: number): Promise<void> =>
  put(trx, { ...job, run_at: isoTime(job.run_at_ms ?? now_ms), created_at: isoTime(now_ms) });

export function jobTable({ db, engine }: Database, clock: Clock): JobTable {
  const at = (offsetMs: number): string => isoTime(clock.now() + offsetMs);
  return {
    put: (job) => putJob(db, job, clock.now()),
    claim: async (kinds, worker, leaseMs, skipped = NONE_SKIPPED) => {
      if (kinds.length === 0) return null;
      const lease = await claim(db, engine, { kinds, worker, skipped }, { now: at(0), until: at(leaseMs) });
      if (lease !== null && lease.share !== null) await noteTurn(db, lease, { now: at(0), until: at(TURN_KEPT_MS) });
      return lease;
    },
    heartbeat: async (lease, leaseMs) => (await update(db, lease, { lease_until: at(leaseMs) })) > 0,
    fence: async (trx, lease) => {
      // Writes the current value, because only a write locks the row on both engines.
      if ((await update(trx, lease, { leased_by: sql<string>`leased_by` })) === 0)
        throw new LeaseLost(`${lease.kind} ${lease.key}: taken over by another worker`);
    },
    complete: async (lease, againAtMs) => {
      if (againAtMs === null) await db.deleteFrom('jobs').where(held(lease)).execute();
      else await release(db, lease, { run_at: isoTime(againAtMs), failures: 0, last_error: null });
    },
    fail: (lease, error, againAtMs) => {
      const last_error = error.slice(0, MAX_ERROR_CHARS);
      return release(db, lease, { run_at: isoTime(againAtMs), failures: lease.failures + 1, last_error });
    },
    giveBack: (lease) => release(db, lease, {}),
    list: (kind) => db.selectFrom('jobs').selectAll().where('kind', '=', kind).orderBy('key').execute(),
    bringForward: (byMs) => bringForward(db, at(0), byMs),
  };
}

/** Releases all leases when no holder can be alive. Jobs are due as if their leases had expired. */
export async function releaseLeases(trx: Db): Promise<void> {
  await trx.updateTable('jobs').set({ leased_by: null, lease_until: null }).execute();
}

/** The state of jobs for operators. */
export interface JobStanding {
  waiting: number;
  held: number;
  /** Jobs due for at least `late_ms` that no live worker holds; `abandoned` counts those whose holder is gone. */
  overdue: { kind: string; jobs: number; abandoned: number; oldest: string }[];
  /** Jobs with the most consecutive failures. */
  failing: Pick<JobRow, 'kind' | 'key' | 'failures' | 'last_error'>[];
}

const FAILING = 3;
const MOST_FAILING = 5;

export async function readJobStanding(db: Db, now_ms: number, late_ms: number): Promise<JobStanding> {
  const late = isoTime(now_ms - late_ms);
  const held = sql<number>`coalesce(sum(CASE WHEN lease_until > ${isoTime(now_ms)} THEN 1 ELSE 0 END), 0)`;
  const counts = db.selectFrom('jobs').select((eb) => [eb.fn.countAll<number>().as('jobs'), held.as('held')]);
  const overdue = db
    .selectFrom('jobs')
    .where('run_at', '<=', late)
    .where((eb) => eb.or([eb('lease_until', 'is', null), eb('lease_until', '<=', late)]))
    .select((eb) => [
      'kind',
      eb.fn.countAll<number>().as('jobs'),
      eb.fn.count<number>('leased_by').as('abandoned'),
      eb.fn.min('run_at').as('oldest'),
    ])
    .groupBy('kind')
    .orderBy('kind');
  const failing = db
    .selectFrom('jobs')
    .where('failures', '>=', FAILING)
    .select(['kind', 'key', 'failures', 'last_error'])
    .orderBy('failures', 'desc')
    .limit(MOST_FAILING);
  const all = await counts.executeTakeFirstOrThrow();
  return {
    held: all.held,
    waiting: all.jobs - all.held,
    overdue: await overdue.execute(),
    failing: await failing.execute(),
  };
}

type Db = Kysely<Schema>;
const MAX_ERROR_CHARS = 2_000;

async function put(db: Db, job: NewJob & { run_at: string; created_at: string }): Promise<void> {
  const { kind, key, payload = null, share = null, run_at, created_at } = job;
  await db
    .insertInto('jobs')
    .values({ ...blank, id: newId(), kind, key, payload: JSON.stringify(payload), share, run_at, created_at })
    .onConflict((conflict) =>
      conflict.columns(['kind', 'key']).doUpdateSet({
        payload: (eb) => eb.ref('excluded.payload'),
        share: (eb) => eb.fn.coalesce('excluded.share', 'jobs.share'),
        run_at: sql<string>`CASE WHEN jobs.run_at > excluded.run_at THEN excluded.run_at ELSE jobs.run_at END`,
      }),
    )
    .execute();
}

const NONE_SKIPPED: Skipped = { shares: [], guests: false };
/** Shares served longer ago than this are equal. */
const TURN_KEPT_MS = 3_600_000;

interface Claim {
  kinds: readonly string[];
  worker: string;
  skipped: Skipped;
}

async function claim(
  db: Db,
  engine: Database['engine'],
  { kinds, worker, skipped }: Claim,
  { now, until }: { now: string; until: string },
): Promise<Lease | null> {
  const held = db
    .selectFrom('jobs')
    .select((eb) => ['kind', 'share', eb.fn.countAll<number>().as('jobs')])
    .where('lease_until', '>', now)
    .where('share', 'is not', null)
    .groupBy(['kind', 'share'])
    .as('h');
  const due = db
    .selectFrom('jobs as j')
    .leftJoin(held, (join) => join.onRef('h.kind', '=', 'j.kind').onRef('h.share', '=', 'j.share'))
    .leftJoin('job_shares as s', (join) => join.onRef('s.kind', '=', 'j.kind').onRef('s.share', '=', 'j.share'))
    .select('j.id')
    .where('j.kind', 'in', kinds)
    .where('j.run_at', '<=', now)
    .where((eb) => eb.or([eb('j.lease_until', 'is', null), eb('j.lease_until', '<=', now)]))
    .$if(skipped.shares.length > 0, (query) =>
      query.where((eb) => eb.or([eb('j.share', 'is', null), eb('j.share', 'not in', skipped.shares)])),
    )
    .$if(skipped.guests, (query) =>
      query.where((eb) => eb.or([eb('j.share', 'is', null), eb('j.share', 'like', 'user:%')])),
    )
    .orderBy((eb) => eb.case().when('j.share', 'is', null).then(0).else(1).end())
    .orderBy((eb) => eb.fn.coalesce('h.jobs', eb.lit(0)))
    .orderBy((eb) => eb.fn.coalesce('s.started_at', eb.val('')))
    .orderBy('j.run_at')
    .limit(1)
    .$if(engine === 'postgres', (query) => query.forUpdate(['j']).skipLocked());
  const row = await db
    .updateTable('jobs')
    .set({ leased_by: worker, lease_until: until, attempt: sql<number>`attempt + 1` })
    .where('id', '=', due)
    .returningAll()
    .executeTakeFirst();
  return row === undefined ? null : leaseOf(row);
}

/** This only affects the order of turns, so it is not part of the claim's transaction. */
async function noteTurn(db: Db, { kind, share }: Lease, { now, until }: { now: string; until: string }): Promise<void> {
  await db
    .insertInto('job_shares')
    .values({ kind, share: share as string, started_at: now, expires_at: until })
    .onConflict((of) => of.columns(['kind', 'share']).doUpdateSet({ started_at: now, expires_at: until }))
    .execute();
}

async function bringForward(db: Db, now: string, byMs: number): Promise<void> {
  const sooner = (time: string): string => isoTime(Date.parse(time) - byMs);
  await db.transaction().execute(async (trx) => {
    const late = trx.selectFrom('jobs').where((eb) => eb.or([eb('run_at', '>', now), eb('lease_until', '>', now)]));
    for (const { id, run_at, lease_until } of await late.select(['id', 'run_at', 'lease_until']).execute())
      await trx
        .updateTable('jobs')
        .set({
          run_at: run_at > now ? sooner(run_at) : run_at,
          lease_until: lease_until !== null && lease_until > now ? sooner(lease_until) : lease_until,
        })
        .where('id', '=', id)
        .execute();
  });
}

const held =
  ({ id, attempt }: Lease) =>
  (eb: ExpressionBuilder<Schema, 'jobs'>) =>
    eb.and({ id, attempt });

const release = async (db: Db, lease: Lease, set: Partial<JobRow>): Promise<void> =>
  void (await update(db, lease, { ...set, leased_by: null, lease_until: null }));

/** Updates the job while the lease is held. Returns the number of changed rows: 1 or 0. */
async function update(db: Db, lease: Lease, set: UpdateObject<Schema, 'jobs'>): Promise<number> {
  const rows = await db.updateTable('jobs').set(set).where(held(lease)).returning('id').execute();
  return rows.length;
}

const blank = { attempt: 0, failures: 0, leased_by: null, lease_until: null, last_error: null };

const leaseOf = ({ id, kind, key, payload, attempt, failures, share }: JobRow): Lease => ({
  id,
  kind,
  key,
  payload: JSON.parse(payload),
  attempt,
  failures,
  share,
});
