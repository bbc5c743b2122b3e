import type { Kysely } from 'kysely';
import { countOf } from '#core/db/pages.ts';
import type { Schema } from '#core/db/schema.ts';

/** Runs since a time that a receipt proves. */
export const countRunsSince = (db: Kysely<Schema>, at: string): Promise<number> =>
  // Our own check runs are no use of anything.
  countOf(db.selectFrom('proof_runs').where('at', '>=', at).where('caller', '<>', 'service'));
