import type { Kysely } from 'kysely';
import { countOf } from '#core/db/pages.ts';
import type { Schema } from '#core/db/schema.ts';

/** The number of runs with a receipt since a time. */
export const countRunsSince = (db: Kysely<Schema>, at: string): Promise<number> =>
  // Check runs of the service do not count as use.
  countOf(db.selectFrom('proof_runs').where('at', '>=', at).where('caller', '<>', 'service'));
