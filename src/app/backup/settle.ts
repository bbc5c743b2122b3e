import { sql, type Transaction } from 'kysely';
import { leapAhead } from '#catalog/changes/changes.ts';
import { forgetDatabaseIdentity } from '#catalog/changes/database-identity.ts';
import type { Schema } from '#core/db/schema.ts';
import { releaseLeases } from '#core/jobs/jobs.ts';
import { noteRestored } from './note.ts';

/** What a restored database must not go on with as if no time had passed since its backup. */

/** Good for one use, which may have been made since; counts of minutes that are over; and clients that are not there. */
const USED_ONCE = [
  'challenges',
  'email_tokens',
  'google_flows',
  'authorization_codes',
  'connection_flows',
  'rate_windows',
  'mcp_session_mail',
  'mcp_sessions',
] as const;

export interface SettleOptions {
  now: string;
  /** When the backup was made. */
  as_of: string;
  /** What ended since the backup would stand again, so that everybody signs in anew unless they are kept. */
  keep_sign_ins: boolean;
}

export interface Settled {
  sign_ins_ended: number;
}

export async function settle(trx: Transaction<Schema>, { now, as_of, keep_sign_ins }: SettleOptions): Promise<Settled> {
  for (const table of USED_ONCE) await sql`DELETE FROM ${sql.table(table)}`.execute(trx);
  // As after a crash: whoever held these is gone.
  await releaseLeases(trx);
  await trx.updateTable('connection_grants').set({ lease_holder: null, lease_until: null }).execute();
  await trx.deleteFrom('idempotency_keys').where('status', 'is', null).execute();
  // What readers hold of the numbers since the backup must not be taken for the new ones.
  await forgetDatabaseIdentity(trx);
  await leapAhead(trx);
  const sign_ins_ended = keep_sign_ins ? 0 : await endSignIns(trx, now);
  await noteRestored(trx, { as_of, sign_ins_ended }, now);
  return { sign_ins_ended };
}

async function endSignIns(trx: Transaction<Schema>, now: string): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('sign_ins')
    .set({ revoked_at: now })
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
