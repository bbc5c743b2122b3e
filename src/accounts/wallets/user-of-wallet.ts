import type { Kysely } from 'kysely';
import type { NewAccounts } from '#accounts/proof-of-work/new-accounts.ts';
import { findWallet, linkWallet } from '#accounts/users/identities.ts';
import { createUser, findUser, type User } from '#accounts/users/users.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import type { ProofDeps } from './prove-wallet.ts';

/**
 * Returns the account of a verified wallet; for an unknown wallet a new account, unproven if a proof is required.
 *
 * @throws Problem 429 `auth.limit_exceeded` (`new_accounts`)
 */
export async function userOfWallet(
  deps: Pick<ProofDeps, 'database' | 'clock'> & { newAccounts: NewAccounts },
  wallet_type: string,
  address: string,
  client_address: string,
): Promise<User> {
  const { db } = deps.database;
  const signUp = async (): Promise<User | null> => {
    await deps.newAccounts.count(client_address);
    const wallet = { wallet_type, address, linked_at: isoTime(deps.clock.now()) };
    return newAccount(db, wallet, deps.newAccounts.networkFor(client_address));
  };
  const known = await findWallet(db, wallet_type, address);
  const user = known === undefined ? await signUp() : await findUser(db, known.user_id);
  // The account was created or deleted concurrently.
  return user ?? userOfWallet(deps, wallet_type, address, client_address);
}

/** Null if a concurrent sign-in of the same wallet was faster: then neither account nor link remains. */
const newAccount = (
  db: Kysely<Schema>,
  wallet: { wallet_type: string; address: string; linked_at: string },
  unprovenNetwork: string | null,
): Promise<User | null> =>
  db
    .transaction()
    .execute(async (transaction) => {
      const user = await createUser(transaction, shortened(wallet.address), wallet.linked_at, unprovenNetwork);
      if (!(await linkWallet(transaction, { ...wallet, user_id: user.id }))) throw OVERTAKEN;
      return user;
    })
    .catch((error: unknown) => {
      if (error === OVERTAKEN) return null;
      throw error;
    });

const OVERTAKEN = new Error('The wallet was linked by a concurrent request. Retry.');

/** An initial name that the owner recognizes. */
const shortened = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`;
