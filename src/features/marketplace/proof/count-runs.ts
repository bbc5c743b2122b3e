import type { Kysely } from 'kysely';
import type { Schema } from '../../../platform/db/schema.ts';

/** Runs since a time that a receipt proves. */
export async function countRunsSince(db: Kysely<Schema>, at: string): Promise<number> {
  const { count } = await db
    .selectFrom('proof_runs')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('at', '>=', at)
    // Our own check runs are no use of anything.
    .where('caller', '<>', 'service')
    .executeTakeFirstOrThrow();
  return Number(count);
}
