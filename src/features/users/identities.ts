import type { Kysely } from 'kysely';
import type { Schema } from '../../platform/db/schema.ts';
import type { EmailRow, GoogleAccountRow, WalletRow } from '../../platform/db/schema-identity.ts';

/** The ways in: wallets, an email account, a Google account. The only SQL that names their tables. */

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

export const findWallet = (db: Db, wallet_type: string, address: string): Promise<WalletRow | undefined> =>
  db
    .selectFrom('wallets')
    .selectAll()
    .where('wallet_type', '=', wallet_type)
    .where('address', '=', address)
    .executeTakeFirst();

export const findEmail = (db: Db, email: string): Promise<EmailRow | undefined> =>
  db.selectFrom('emails').selectAll().where('email', '=', email).executeTakeFirst();

export const findGoogleAccount = (db: Db, subject: string): Promise<GoogleAccountRow | undefined> =>
  db.selectFrom('google_accounts').selectAll().where('subject', '=', subject).executeTakeFirst();

/** False where somebody has linked it already: the first one stands. */
export async function linkWallet(db: Db, wallet: WalletRow): Promise<boolean> {
  const rows = await db
    .insertInto('wallets')
    .values(wallet)
    .onConflict((it) => it.doNothing())
    .returning('address')
    .execute();
  return rows.length === 1;
}

/** False where the address, or the user, has an email account already. */
export async function linkEmail(db: Db, email: EmailRow): Promise<boolean> {
  const rows = await db
    .insertInto('emails')
    .values(email)
    .onConflict((it) => it.doNothing())
    .returning('email')
    .execute();
  return rows.length === 1;
}

/** False where the Google account, or the user, has a link already. */
export async function linkGoogleAccount(db: Db, google: GoogleAccountRow): Promise<boolean> {
  const rows = await db
    .insertInto('google_accounts')
    .values(google)
    .onConflict((it) => it.doNothing())
    .returning('subject')
    .execute();
  return rows.length === 1;
}
