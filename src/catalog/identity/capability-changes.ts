import { type Kysely, sql } from 'kysely';
import { isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';

/** The change sequence of capabilities: one number per transaction that changed anything shown of one, in commit order. */

/** Takes the next number; its row lock is held until the transaction ends, which makes sequence order commit order. */
export const nextCapabilitySeq = async (trx: Kysely<Schema>): Promise<number> => {
  const { value } = await trx
    .updateTable('change_counters')
    .set({ value: sql<number>`value + 1` })
    .where('name', '=', 'capabilities')
    .returning('value')
    .executeTakeFirstOrThrow();
  return value;
};

/** So many at once that no engine refuses the statement for its parameters. */
const MOST = 500;

/**
 * To be called in the transaction that changes what is shown of these capabilities (proof, standing, claims, …): whoever
 * follows the sequence then reads them anew. Ids may be of merged ones; what stands for them is touched.
 */
export async function touchCapabilities(trx: Kysely<Schema>, ids: readonly string[], now_ms: number): Promise<void> {
  if (ids.length === 0) return;
  const seq = await nextCapabilitySeq(trx);
  for (let at = 0; at < ids.length; at += MOST)
    await trx
      .updateTable('capabilities')
      .set({ seq, updated_at: isoTime(now_ms) })
      .where('id', 'in', (of) =>
        of
          .selectFrom('capabilities')
          .select('stands_id')
          .where('id', 'in', ids.slice(at, at + MOST)),
      )
      .execute();
}

/** The newest change. */
export const lastCapabilityChange = async (db: Kysely<Schema>): Promise<number> => {
  const row = await db
    .selectFrom('change_counters')
    .select('value')
    .where('name', '=', 'capabilities')
    .executeTakeFirst();
  return row?.value ?? 0;
};
