import type { Kysely } from 'kysely';
import { isoTime } from '#core/clock/clock.ts';
import { removeOldest } from '#core/db/remove-oldest.ts';
import type { Schema } from '#core/db/schema.ts';

/** Traces whose digest was signed, which accept no more spans: the only SQL that uses `sealed_traces`. */

type Db = Kysely<Schema>;

interface SealOrder {
  trace_id: string;
  /** The owner of the trace; null for runs of the service or its operator. */
  user_id: string | null;
  now_ms: number;
}

/**
 * Seals a trace. A save that started before may still add spans, so call `Tracing.flush` between sealing and reading a
 * trace to sign its digest.
 */
export const sealTrace = async (db: Db, { trace_id, user_id, now_ms }: SealOrder): Promise<void> =>
  void (await db
    .insertInto('sealed_traces')
    .values({ trace_id, user_id, sealed_at: isoTime(now_ms) })
    .onConflict((conflict) => conflict.column('trace_id').doNothing())
    .execute());

export async function sealedAmong(db: Db, trace_ids: readonly string[]): Promise<Set<string>> {
  const rows = await db.selectFrom('sealed_traces').select('trace_id').where('trace_id', 'in', trace_ids).execute();
  return new Set(rows.map(({ trace_id }) => trace_id));
}

export const deleteSealsOf = async (trx: Db, user_id: string): Promise<void> =>
  void (await trx.deleteFrom('sealed_traces').where('user_id', '=', user_id).execute());

/** Deletes up to `most` of the oldest seals from before this ISO time. Returns the number of deleted rows. */
export const deleteSealsBefore = (db: Db, time: string, most: number): Promise<number> =>
  removeOldest(db, { table: 'sealed_traces', key: ['trace_id'], time: 'sealed_at' }, time, most);
