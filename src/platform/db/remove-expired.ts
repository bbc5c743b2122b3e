import { sql } from 'kysely';
import { isoTime } from '../clock.ts';
import type { Database } from './open.ts';

/** Tables whose rows end by themselves; each has an index over `expires_at`. */
export type ExpiringTable =
  | 'authorization_codes'
  | 'challenges'
  | 'connection_flows'
  | 'email_tokens'
  | 'google_flows'
  | 'idempotency_keys'
  | 'mcp_session_mail'
  | 'mcp_sessions'
  | 'oauth_clients'
  | 'rate_windows';

/**
 * Removes at most so many expired rows, so that no request waits for the cleaning of a long night. Rows that another
 * process is removing are left to it.
 */
export async function removeExpired(
  { db, engine }: Database,
  table: ExpiringTable,
  now_ms: number,
  most: number,
): Promise<void> {
  const [row, lock] =
    engine === 'postgres' ? [sql.ref('ctid'), sql`FOR UPDATE SKIP LOCKED`] : [sql.ref('rowid'), sql``];
  const name = sql.table(table);
  await sql`DELETE FROM ${name} WHERE ${row} IN
    (SELECT ${row} FROM ${name} WHERE expires_at <= ${isoTime(now_ms)} ORDER BY expires_at LIMIT ${most} ${lock})`.execute(
    db,
  );
}
