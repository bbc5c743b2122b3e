import { sql, type Transaction } from 'kysely';
import { leapAhead } from '#catalog/changes/changes.ts';
import { forgetDatabaseIdentity } from '#catalog/changes/database-identity.ts';
import type { Schema } from '#core/db/schema.ts';
import { releaseLeases } from '#core/jobs/jobs.ts';
import { noteRestored } from './note.ts';

/** Resets what a restored database must not continue as if no time had passed. */

/** Single-use rows that may have been used since; counters of past minutes; and clients that are not connected. */
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

interface SettleOptions {
  now: string;
  /** Time of the backup. */
  as_of: string;
  /**
   * A restore would bring back sessions that were revoked later, so all users must sign in again unless this is set.
   */
  keep_sign_ins: boolean;
}

export interface Settled {
  sign_ins_ended: number;
}

export async function settle(trx: Transaction<Schema>, { now, as_of, keep_sign_ins }: SettleOptions): Promise<Settled> {
  for (const table of USED_ONCE) await sql`DELETE FROM ${sql.table(table)}`.execute(trx);
  // As after a crash: the holders are gone.
  await releaseLeases(trx);
  await trx.updateTable('connection_grants').set({ lease_holder: null, lease_until: null }).execute();
  await trx.deleteFrom('idempotency_keys').where('status', 'is', null).execute();
  // Clients must not confuse change numbers from after the backup with new ones.
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
