import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import type { StorageKind } from './charged.ts';

/** Checks the storage limit of an account before something is stored for it. */

type Db = Kysely<Schema>;

export interface StorageShown {
  used_bytes: number;
  limit_bytes: number;
  kinds: { kind: StorageKind; used_bytes: number; limit_bytes: number | null }[];
}

interface StorageHolder {
  user_id: string;
  tier: string;
}

export interface StorageGate {
  /**
   * Call it before storing something, and in its transaction after locking the account if there is a lock. `bytes` is
   * the expected size, if known. Over the limit: 429 `users.quota_exceeded` (`storage_full`).
   */
  require(db: Db, userId: string, kind: StorageKind, bytes?: number): Promise<void>;
  /**
   * Returns the use and limit of one kind, whatever else the account stores; unlimited for kinds that are always
   * stored.
   */
  share(db: Db, userId: string, kind: StorageKind): Promise<{ used_bytes: number; limit_bytes: number }>;
  /** Counts something that was truncated or not stored although the request continued. */
  cut(kind: StorageKind): void;
  read(db: Db, holder: StorageHolder): Promise<StorageShown>;
}
