import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import { listIdentities } from './identities.ts';

/** The owner of the data. Includes wallets and email, because some data is stored under these. */
export interface Account {
  user_id: string;
  wallets: readonly { wallet_type: string; address: string }[];
  email: string | null;
}

/** Exports and erases data that another part of the service stores for accounts. `app` lists them. */
export interface Holding {
  /** Its member in the export, such as `sign_ins`. */
  name: string;
  /** Returns all of it as JSON, without secrets and their hashes. */
  read(db: Kysely<Schema>, account: Account): Promise<unknown>;
  /**
   * Deletes rows that other transactions lock before the account. Called before the account is locked, to avoid
   * deadlocks.
   */
  release?(trx: Kysely<Schema>, account: Account): Promise<void>;
  /** Absent if the rows cascade with the one in `users`. `trx` has locked that row. */
  erase?(trx: Kysely<Schema>, account: Account): Promise<void>;
}

export async function readAccount(db: Kysely<Schema>, user_id: string): Promise<Account> {
  const { wallets, email } = await listIdentities(db, user_id);
  return { user_id, wallets, email: email?.email ?? null };
}
