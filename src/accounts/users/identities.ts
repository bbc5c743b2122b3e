import { type Kysely, sql } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import type { EmailRow, GoogleAccountRow, WalletRow } from '#core/db/schema-identity.ts';
import { defined } from '#core/defined.ts';
import { lockUser } from './users.ts';

/** Sign-in methods: wallets, an email account, a Google account. The only SQL that uses their tables. */

type Db = Kysely<Schema>;

export interface Identities {
  wallets: WalletRow[];
  email: EmailRow | null;
  google: GoogleAccountRow | null;
}

export async function listIdentities(db: Db, user_id: string): Promise<Identities> {
  const [wallets, email, google] = await Promise.all([
    db
      .selectFrom('wallets')
      .selectAll()
      .where('user_id', '=', user_id)
      .orderBy('linked_at')
      .orderBy('address')
      .execute(),
    db.selectFrom('emails').selectAll().where('user_id', '=', user_id).executeTakeFirst(),
    db.selectFrom('google_accounts').selectAll().where('user_id', '=', user_id).executeTakeFirst(),
  ]);
  return { wallets, email: email ?? null, google: google ?? null };
}

/** For several users, by their ids. */
export async function listIdentitiesOf(db: Db, user_ids: readonly string[]): Promise<Map<string, Identities>> {
  const of = new Map(user_ids.map((id): [string, Identities] => [id, { wallets: [], email: null, google: null }]));
  if (of.size === 0) return of;
  const [wallets, emails, googles] = await Promise.all([
    db.selectFrom('wallets').selectAll().where('user_id', 'in', user_ids).orderBy('linked_at').execute(),
    db.selectFrom('emails').selectAll().where('user_id', 'in', user_ids).execute(),
    db.selectFrom('google_accounts').selectAll().where('user_id', 'in', user_ids).execute(),
  ]);
  for (const wallet of wallets) of.get(wallet.user_id)?.wallets.push(wallet);
  for (const email of emails) Object.assign(of.get(email.user_id) ?? {}, { email });
  for (const google of googles) Object.assign(of.get(google.user_id) ?? {}, { google });
  return of;
}

export const findWallet = (db: Db, wallet_type: string, address: string): Promise<WalletRow | undefined> =>
  db
    .selectFrom('wallets')
    .selectAll()
    .where('wallet_type', '=', wallet_type)
    .where('address', '=', address)
    .executeTakeFirst();

export const hasWallet = async (db: Db, user_id: string): Promise<boolean> =>
  (await db.selectFrom('wallets').select('address').where('user_id', '=', user_id).limit(1).executeTakeFirst()) !==
  undefined;

export const findEmail = (db: Db, email: string): Promise<EmailRow | undefined> =>
  db.selectFrom('emails').selectAll().where('email', '=', email).executeTakeFirst();

export const findGoogleAccount = (db: Db, subject: string): Promise<GoogleAccountRow | undefined> =>
  db.selectFrom('google_accounts').selectAll().where('subject', '=', subject).executeTakeFirst();

/** The address comes from Google; several accounts may have had the same one over time. */
export const listGoogleAccountsWith = (db: Db, email: string): Promise<GoogleAccountRow[]> =>
  db.selectFrom('google_accounts').selectAll().where('email', '=', email).execute();

/** Returns false if it is already linked: the first link stays. */
export async function linkWallet(db: Db, wallet: WalletRow): Promise<boolean> {
  const rows = await db
    .insertInto('wallets')
    .values(wallet)
    .onConflict((conflict) => conflict.doNothing())
    .returning('address')
    .execute();
  return rows.length === 1;
}

/** Returns false if the address, or the user, already has an email account. */
export async function linkEmail(db: Db, email: EmailRow): Promise<boolean> {
  const rows = await db
    .insertInto('emails')
    .values(email)
    .onConflict((conflict) => conflict.doNothing())
    .returning('email')
    .execute();
  return rows.length === 1;
}

interface NewPassword {
  email: string;
  /** The hash to replace. */
  old: string;
  password_hash: string;
  /** Null if only the hash parameters change. */
  now: string | null;
}

/** Returns false if another change was faster. */
export async function setPassword(db: Db, { email, old, password_hash, now }: NewPassword): Promise<boolean> {
  const rows = await db
    .updateTable('emails')
    .set({ password_hash, ...defined({ password_changed_at: now ?? undefined }) })
    .where('email', '=', email)
    .where('password_hash', '=', old)
    .returning('email')
    .execute();
  return rows.length === 1;
}

/** Returns false if the Google account, or the user, is already linked. */
export async function linkGoogleAccount(db: Db, google: GoogleAccountRow): Promise<boolean> {
  const rows = await db
    .insertInto('google_accounts')
    .values(google)
    .onConflict((conflict) => conflict.doNothing())
    .returning('subject')
    .execute();
  return rows.length === 1;
}

type IdentityKey = { kind: 'wallet'; wallet_type: string; address: string } | { kind: 'email' } | { kind: 'google' };

/**
 * Removes a sign-in method from its account. `last`: it is the only one and stays, because nobody could sign in any
 * more. Of two concurrent removals that would leave none, one fails. `db` may be a transaction.
 */
export async function unlinkIdentity(
  db: Db,
  user_id: string,
  key: IdentityKey,
): Promise<'unlinked' | 'missing' | 'last'> {
  return inTransaction(db, async (transaction) => {
    if (!(await lockUser(transaction, user_id))) return 'missing';
    const { wallets, email, google } = await listIdentities(transaction, user_id);
    const ways = [...wallets, ...(email === null ? [] : [email]), ...(google === null ? [] : [google])];
    const found = {
      wallet: () => wallets.find((wallet) => key.kind === 'wallet' && isWallet(wallet, key)),
      email: () => email,
      google: () => google,
    }[key.kind]();
    if (found === undefined || found === null) return 'missing';
    if (ways.length === 1) return 'last';
    await remove(transaction, user_id, key);
    return 'unlinked';
  });
}

const isWallet = (row: WalletRow, { wallet_type, address }: Pick<WalletRow, 'wallet_type' | 'address'>): boolean =>
  row.wallet_type === wallet_type && row.address === address;

async function remove(db: Db, userId: string, key: IdentityKey): Promise<void> {
  if (key.kind === 'email') await db.deleteFrom('emails').where('user_id', '=', userId).execute();
  else if (key.kind === 'google') await db.deleteFrom('google_accounts').where('user_id', '=', userId).execute();
  else
    await db
      .deleteFrom('wallets')
      .where('user_id', '=', userId)
      .where('wallet_type', '=', key.wallet_type)
      .where('address', '=', key.address)
      .execute();
}

const inTransaction = <T>(db: Db, run: (transaction: Db) => Promise<T>): Promise<T> =>
  db.isTransaction ? run(db) : db.transaction().execute(run);

/** Nobody needs more, except to fill tables. */
export const MAX_WALLETS = 20;

/**
 * Links a wallet to an existing account. `yours`: already linked to it. `taken`: linked to another one, which keeps it.
 * `full`: the account has reached its limit.
 */
export async function addWallet(db: Db, wallet: WalletRow): Promise<'linked' | 'yours' | 'taken' | 'full' | 'missing'> {
  return inTransaction(db, async (transaction) => {
    if (!(await lockUser(transaction, wallet.user_id))) return 'missing';
    const holder = await findWallet(transaction, wallet.wallet_type, wallet.address);
    if (holder !== undefined) return holder.user_id === wallet.user_id ? 'yours' : 'taken';
    const { wallets } = await listIdentities(transaction, wallet.user_id);
    if (wallets.length >= MAX_WALLETS) return 'full';
    return (await linkWallet(transaction, wallet)) ? 'linked' : 'taken';
  });
}

/** The accounts with exactly this email or wallet address, in any case. */
export async function ownersOfAddress(db: Db, address: string): Promise<string[]> {
  const rows = await db
    .selectFrom('emails')
    .select('user_id')
    .where('email', '=', address)
    .union(db.selectFrom('google_accounts').select('user_id').where(sql`LOWER(email)`, '=', address))
    .union(db.selectFrom('wallets').select('user_id').where(sql`LOWER(address)`, '=', address))
    .limit(20)
    .execute();
  return rows.map(({ user_id }) => user_id);
}
