import type { Insertable, Kysely } from 'kysely';
import type { TierName } from '#accounts/quotas/tiers.ts';
import { type PagePlace, pageOf } from '#core/db/pages.ts';
import { prepared } from '#core/db/prepared.ts';
import type { Schema } from '#core/db/schema.ts';
import type { SignInRow } from '#core/db/schema-identity.ts';

/** Sessions of users. The only SQL that uses `sign_ins`; times are ISO text, as in its rows. */

type Db = Kysely<Schema>;
export type SignIn = SignInRow;

export async function addSignIn(db: Db, signIn: Insertable<SignInRow>): Promise<void> {
  await db.insertInto('sign_ins').values(signIn).execute();
}

const STANDING = ['id', 'user_id', 'current_jti', 'previous_jti', 'previous_until'] as const;

export type SignInOfUser = Pick<SignInRow, (typeof STANDING)[number]> & {
  tier: TierName;
  is_operator: number;
  unproven_network: string | null;
  suspended_at: string | null;
  suspended_reason: string;
};

/** Returns an active session with its user: all that a request needs, in one query. */
export const findStanding = async (db: Db, id: string, now: string): Promise<SignInOfUser | undefined> =>
  (await readStanding(db, { id, now }))[0] as SignInOfUser | undefined;

const readStanding = prepared(['id', 'now'], (db, { id, now }: { id: string; now: string }) =>
  db
    .selectFrom('sign_ins as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select([...STANDING.map((name) => `s.${name}` as const), 'u.tier', 'u.is_operator', 'u.unproven_network'])
    .select(['u.suspended_at', 'u.suspended_reason'])
    .where('s.id', '=', id)
    .where('s.revoked_at', 'is', null)
    .where('s.expires_at', '>', now),
);

export const findSignIn = (db: Db, user_id: string, id: string, now: string): Promise<SignIn | undefined> =>
  standing(db, user_id, now).selectAll().where('id', '=', id).executeTakeFirst();

/** Active sessions, newest first. */
export const listSignIns = (db: Db, user_id: string, now: string, page: PagePlace) =>
  pageOf(standing(db, user_id, now), page, (of) => of.selectAll().orderBy('id', 'desc'));

const standing = (db: Db, userId: string, now: string) =>
  db.selectFrom('sign_ins').where('user_id', '=', userId).where('revoked_at', 'is', null).where('expires_at', '>', now);

/** Revokes all active sessions but the newest `most`, so that the list stays short enough to review. */
export async function revokeOldest(trx: Db, user_id: string, now: string, most: number): Promise<void> {
  const rows = await standing(trx, user_id, now).select('id').orderBy('id', 'desc').limit(100).offset(most).execute();
  for (const { id } of rows) await revokeSignIn(trx, user_id, id, now);
}

interface Renewal {
  id: string;
  /** The token in the request, which must be the current one. */
  jti: string;
  next_jti: string;
  now: string;
  /** Until when the token in the request remains valid. */
  previous_until: string;
}

/** One conditional UPDATE: of concurrent refreshes with one token, one is the renewal. */
export async function renewSignIn(db: Db, { id, jti, next_jti, now, previous_until }: Renewal): Promise<boolean> {
  const rows = await db
    .updateTable('sign_ins')
    .set({ previous_jti: jti, previous_until, current_jti: next_jti, refreshed_at: now })
    .where('id', '=', id)
    .where('current_jti', '=', jti)
    .where('revoked_at', 'is', null)
    .returning('id')
    .execute();
  return rows.length === 1;
}

interface RefreshRenewal extends Renewal {
  /** SHA-256 of the refresh token in the request, which must be the current one. */
  shown_hash: string;
  next_hash: string;
  salt: string;
}

/** For OAuth clients: replaces access and refresh token in one statement. */
export async function renewByRefresh(db: Db, renewal: RefreshRenewal): Promise<SignIn | undefined> {
  const { id, jti, next_jti, now, previous_until, shown_hash, next_hash, salt } = renewal;
  return db
    .updateTable('sign_ins')
    .set({ previous_jti: jti, previous_until, current_jti: next_jti, refreshed_at: now })
    .set({ refresh_previous_hash: shown_hash, refresh_hash: next_hash, refresh_salt: salt })
    .where('id', '=', id)
    .where('refresh_hash', '=', shown_hash)
    .where('revoked_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
}

/** Returns the active client session of this refresh token family, whether the token is current or not. */
export const findByRefreshFamily = (db: Db, family_hash: string, now: string): Promise<SignIn | undefined> =>
  db
    .selectFrom('sign_ins')
    .selectAll()
    .where('refresh_family_hash', '=', family_hash)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();

/** Returns false if the user has no such active session. */
export async function revokeSignIn(db: Db, user_id: string, id: string, now: string): Promise<boolean> {
  const rows = await db
    .updateTable('sign_ins')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('id')
    .execute();
  return rows.length === 1;
}

/** Revokes all sessions of a user but `keep`. Returns their number. */
export async function revokeSignIns(db: Db, user_id: string, keep: string | null, now: string): Promise<number> {
  const rows = await db
    .updateTable('sign_ins')
    .set({ revoked_at: now })
    .where('user_id', '=', user_id)
    .where('id', '!=', keep ?? '')
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('id')
    .execute();
  return rows.length;
}

/** Deletes sessions that no valid token can refer to. */
export async function deleteSpentSignIns(db: Db, user_id: string, before: string): Promise<void> {
  await db.deleteFrom('sign_ins').where('user_id', '=', user_id).where('expires_at', '<=', before).execute();
}

/** Revokes all sessions started with this wallet (CAIP-10). */
export async function revokeSignInsOfWallet(db: Db, user_id: string, wallet: string, now: string): Promise<void> {
  await db
    .updateTable('sign_ins')
    .set({ revoked_at: now })
    .where('user_id', '=', user_id)
    .where('wallet', '=', wallet)
    .where('revoked_at', 'is', null)
    .execute();
}

/** Includes ended sessions, for the export of an account. */
export const listEverySignIn = (db: Db, user_id: string) =>
  db
    .selectFrom('sign_ins')
    .select(['id', 'method', 'wallet', 'user_agent', 'signed_in_at', 'refreshed_at', 'expires_at', 'revoked_at'])
    .select(['client_id', 'client_name', 'resource', 'scope'])
    .where('user_id', '=', user_id)
    .orderBy('signed_in_at')
    .execute();
