import { sql } from 'kysely';
import { isoTime } from '#core/clock/clock.ts';
import type { Database } from './open.ts';

/** Tables whose rows expire; each has an index on `expires_at`. */
export const EXPIRING_TABLES = [
  ...(['authorization_codes', 'challenges', 'connection_flows', 'devices', 'email_tokens', 'google_flows'] as const),
  ...([
    'idempotency_keys',
    'job_shares',
    'mcp_session_mail',
    'mcp_sessions',
    'oauth_clients',
    'publish_tokens',
    'rate_windows',
    'server_questions',
    'sign_ins',
    'suspended_calls',
    'task_shares',
    'used_identity_tokens',
  ] as const),
] as const;
export type ExpiringTable = (typeof EXPIRING_TABLES)[number];

/**
 * Deletes at most `most` expired rows, so that no request waits for a long cleanup. Skips rows that another process is
 * deleting. Returns the number of deleted rows.
 */
export async function removeExpired(
  { db, engine }: Pick<Database, 'db' | 'engine'>,
  table: ExpiringTable,
  now_ms: number,
  most: number,
): Promise<number> {
  const [row, lock] =
    engine === 'postgres' ? [sql.ref('ctid'), sql`FOR UPDATE SKIP LOCKED`] : [sql.ref('rowid'), sql``];
  const name = sql.table(table);
  const { numAffectedRows } = await sql`DELETE FROM ${name} WHERE ${row} IN
    (SELECT ${row} FROM ${name} WHERE expires_at <= ${isoTime(now_ms)} ORDER BY expires_at LIMIT ${most} ${lock})`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0);
}
