import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import type { StorageKind } from './charged.ts';

/** What the rest asks before it stores something on behalf of an account. */

type Db = Kysely<Schema>;

export interface StorageShown {
  used_bytes: number;
  limit_bytes: number;
  kinds: { kind: StorageKind; used_bytes: number; limit_bytes: number | null }[];
}

export interface StorageHolder {
  user_id: string;
  tier: string;
}

export interface StorageGate {
  /**
   * Before something is stored, and in its transaction after the account is locked where there is one. `bytes` is what it will
   * take, as far as that is known. Over the limit: 429 `users.storage_full`.
   */
  require(db: Db, user_id: string, kind: StorageKind, bytes?: number): Promise<void>;
  /** What one kind uses of its share, whatever else the account stores; endless where it is kept in reserve. */
  share(db: Db, user_id: string, kind: StorageKind): Promise<{ used_bytes: number; limit_bytes: number }>;
  /** Counts something that was not stored, or not whole, though the request went on. */
  cut(kind: StorageKind): void;
  read(db: Db, holder: StorageHolder): Promise<StorageShown>;
}
