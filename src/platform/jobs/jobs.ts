import { sql, type Transaction } from 'kysely';
import { type Clock, isoTime } from '../clock.ts';
import type { Database } from '../db/open.ts';
import type { JobRow, Schema } from '../db/schema.ts';
import { newId } from '../ids.ts';

/** The leased work table: the only SQL that names `jobs`. A job is done by one worker at a time, whatever crashes. */

export interface NewJob {
  kind: string;
  /** Unique within the kind: putting the same job twice leaves one. */
  key: string;
  payload?: unknown;
  /** Due at this time; now where left out. */
  run_at_ms?: number;
}

/** A job held under a lease. `attempt` fences it: whoever holds an older one can write nothing any more. */
export interface Lease {
  id: string;
  kind: string;
  key: string;
  payload: unknown;
  attempt: number;
  /** Failures in a row before this attempt. */
  failures: number;
}

/** Thrown by `fence` where another worker has taken the job over. */
export class LeaseLost extends Error {
  override name = 'LeaseLost';
}

export function jobTable({ db, engine }: Database, clock: Clock) {
  const at = (offset_ms: number): string => isoTime(clock.now() + offset_ms);
  const held = (lease: Lease) => ({ id: lease.id, attempt: lease.attempt });

  return {
    /** Adds the job, or brings it forward where it stands for later. */
    async put({ kind, key, payload = null, run_at_ms = clock.now() }: NewJob): Promise<void> {
      const run_at = isoTime(run_at_ms);
      await db
        .insertInto('jobs')
        .values({ ...blank, id: newId(), kind, key, payload: JSON.stringify(payload), run_at, created_at: at(0) })
        .onConflict((it) =>
          it.columns(['kind', 'key']).doUpdateSet({
            payload: (eb) => eb.ref('excluded.payload'),
            run_at: sql<string>`CASE WHEN jobs.run_at > excluded.run_at THEN excluded.run_at ELSE jobs.run_at END`,
          }),
        )
        .execute();
    },

    /** Takes the longest due job of these kinds, or answers null. */
    async claim(kinds: readonly string[], worker: string, lease_ms: number): Promise<Lease | null> {
      if (kinds.length === 0) return null;
      const now = at(0);
      const due = db
        .selectFrom('jobs')
        .select('id')
        .where('kind', 'in', kinds)
        .where('run_at', '<=', now)
        .where((eb) => eb.or([eb('lease_until', 'is', null), eb('lease_until', '<=', now)]))
        .orderBy('run_at')
        .limit(1)
        .$if(engine === 'postgres', (query) => query.forUpdate().skipLocked());
      const row = await db
        .updateTable('jobs')
        .set({ leased_by: worker, lease_until: at(lease_ms), attempt: sql<number>`attempt + 1` })
        .where('id', '=', due)
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? null : leaseOf(row);
    },

    /** Extends the lease; false where it is lost. */
    async heartbeat(lease: Lease, lease_ms: number): Promise<boolean> {
      const row = await db
        .updateTable('jobs')
        .set({ lease_until: at(lease_ms) })
        .where((eb) => eb.and(held(lease)))
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Makes a transaction commit only while the lease is held; locks the job's row until then. */
    async fence(trx: Transaction<Schema>, lease: Lease): Promise<void> {
      const row = await trx
        .updateTable('jobs')
        .set({ leased_by: sql<string>`leased_by` })
        .where((eb) => eb.and(held(lease)))
        .returning('id')
        .executeTakeFirst();
      if (row === undefined) throw new LeaseLost(`${lease.kind} ${lease.key}: taken over by another worker`);
    },

    /** Ends the job: gone for good, or due again at `again_at_ms`. */
    async complete(lease: Lease, again_at_ms: number | null): Promise<void> {
      if (again_at_ms === null) {
        await db
          .deleteFrom('jobs')
          .where((eb) => eb.and(held(lease)))
          .execute();
        return;
      }
      await release(lease, { run_at: isoTime(again_at_ms), failures: 0, last_error: null });
    },

    /** Gives the job back after a failure, due again at `again_at_ms`. */
    async fail(lease: Lease, error: string, again_at_ms: number): Promise<void> {
      await release(lease, {
        run_at: isoTime(again_at_ms),
        failures: lease.failures + 1,
        last_error: error.slice(0, 2_000),
      });
    },

    /** Gives the job back untouched, due at once; for a worker that shuts down. */
    async giveBack(lease: Lease): Promise<void> {
      await release(lease, {});
    },

    async list(kind: string): Promise<JobRow[]> {
      return db.selectFrom('jobs').selectAll().where('kind', '=', kind).orderBy('key').execute();
    },

    async remove(kind: string, key: string): Promise<void> {
      await db.deleteFrom('jobs').where('kind', '=', kind).where('key', '=', key).execute();
    },
  };

  async function release(lease: Lease, set: Partial<JobRow>): Promise<void> {
    await db
      .updateTable('jobs')
      .set({ ...set, leased_by: null, lease_until: null })
      .where((eb) => eb.and(held(lease)))
      .execute();
  }
}

export type JobTable = ReturnType<typeof jobTable>;

const blank = { attempt: 0, failures: 0, leased_by: null, lease_until: null, last_error: null };

const leaseOf = ({ id, kind, key, payload, attempt, failures }: JobRow): Lease => ({
  id,
  kind,
  key,
  payload: JSON.parse(payload),
  attempt,
  failures,
});
