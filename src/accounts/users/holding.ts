import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import { listIdentities } from './identities.ts';

/** Whose data it is. Their wallets and email come along, for what is held under these. */
export interface Account {
  user_id: string;
  wallets: readonly { wallet_type: string; address: string }[];
  email: string | null;
}

/** Something that another part of the service keeps on accounts. Given to this feature by `app.ts`. */
export interface Holding {
  /** Its member in the export, such as `sign_ins`. */
  name: string;
  /** All of it as JSON, without secrets and their hashes. */
  read(db: Kysely<Schema>, account: Account): Promise<unknown>;
  /** Deletes what other transactions lock ahead of the account; called before it is locked, so that none waits for ever. */
  release?(trx: Kysely<Schema>, account: Account): Promise<void>;
  /** Left out where it falls with the row in `users`. `trx` holds that row. */
  erase?(trx: Kysely<Schema>, account: Account): Promise<void>;
}

export async function readAccount(db: Kysely<Schema>, user_id: string): Promise<Account> {
  const { wallets, email } = await listIdentities(db, user_id);
  return { user_id, wallets, email: email?.email ?? null };
}
