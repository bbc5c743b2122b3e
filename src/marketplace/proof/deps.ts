import type { Kysely } from 'kysely';
import type { Clock } from '#core/clock/clock.ts';
import type { Connection } from '#core/db/connection.ts';
import type { Schema } from '#core/db/schema.ts';
import type { ComputeDeps } from './recompute.ts';
import type { Commitment } from './whose-run.ts';

/** Dependencies of the jobs that follow runs. */
export interface FollowDeps extends ComputeDeps {
  db: Kysely<Schema>;
  clock: Clock;
  /** Plain SQL in a transaction. */
  readerOf(trx: Kysely<Schema>): Pick<Connection, 'query'>;
  commitment: Commitment;
  /** Adds waiting receipts to the log. */
  log(): Promise<number>;
}
