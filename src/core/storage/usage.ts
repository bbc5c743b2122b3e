import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import { CHARGED, type Charged, STORAGE_KINDS, type StorageKind, sizeOf } from './charged.ts';

/** What accounts store: the only SQL that reads `storage_usage` and `storage_deltas`. */

type Db = Kysely<Schema>;
export type StorageUsage = Record<StorageKind, number>;

export const noUsage = (): StorageUsage => Object.fromEntries(STORAGE_KINDS.map((kind) => [kind, 0])) as StorageUsage;

/** Bytes by kind, including every committed change. */
export async function readStorage(db: Db, user_id: string): Promise<StorageUsage> {
  const { rows } = await sql<{ kind: StorageKind; bytes: number }>`
    SELECT kind, CAST(sum(bytes) AS BIGINT) AS bytes FROM (
      SELECT kind, bytes FROM storage_usage WHERE user_id = ${user_id}
      UNION ALL SELECT kind, bytes FROM storage_deltas WHERE user_id = ${user_id}) changes
    GROUP BY kind`.execute(db);
  const usage = noUsage();
  // Before the first recount, more may have been subtracted than was counted.
  for (const { kind, bytes } of rows) usage[kind] = Math.max(0, Number(bytes));
  return usage;
}

/** Of all accounts together. */
export async function readStorageOfAll(db: Db): Promise<StorageUsage> {
  const { rows } = await sql<{ kind: StorageKind; bytes: number }>`
    SELECT kind, CAST(sum(bytes) AS BIGINT) AS bytes FROM (
      SELECT kind, bytes FROM storage_usage UNION ALL SELECT kind, bytes FROM storage_deltas) changes
    GROUP BY kind`.execute(db);
  const usage = noUsage();
  for (const { kind, bytes } of rows) usage[kind] = Math.max(0, Number(bytes));
  return usage;
}

/** Counts the bytes of all rows of the account. */
export async function measureStorage(db: Db, user_id: string): Promise<StorageUsage> {
  const usage = noUsage();
  for (const charged of CHARGED) {
    const { rows } = await measured(charged, user_id).execute(db);
    usage[charged.kind] += Number(rows[0]?.bytes ?? 0);
  }
  return usage;
}

const measured = (charged: Charged, userId: string) => sql<{ bytes: number }>`
  SELECT CAST(COALESCE(sum(${sql.raw(sizeOf(charged, 'r'))}), 0) AS BIGINT) AS bytes
  FROM ${sql.table(charged.from)} r WHERE ${ownedBy(charged, userId)}`;

function ownedBy({ owner, owned = `${owner} = :user` }: Charged, userId: string): RawBuilder<boolean> {
  const [before = '', after = ''] = owned.split(':user');
  return sql`${sql.raw(before)}${userId}${sql.raw(after)}`;
}
