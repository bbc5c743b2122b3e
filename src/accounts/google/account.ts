import type { Kysely } from 'kysely';
import { noteLink } from '#accounts/auth/noting.ts';
import { normalAddress } from '#accounts/email/address.ts';
import { accountsProblem } from '#accounts/errors.ts';
import { markProven } from '#accounts/quotas/unproven.ts';
import { cleanDisplayName } from '#accounts/users/display-name.ts';
import { findEmail, findGoogleAccount, linkGoogleAccount, listIdentities } from '#accounts/users/identities.ts';
import { createUser, findUser, lockUser, noSuchUser, type User } from '#accounts/users/users.ts';
import type { By } from '#core/audit/audit.ts';
import type { Schema } from '#core/db/schema.ts';
import type { GoogleAccountRow } from '#core/db/schema-identity.ts';
import type { Problem } from '#core/problem/problem.ts';
import type { GoogleIdentity } from './issuer.ts';

/** Finds the account of a Google account. Two accounts are never merged. */

type Db = Kysely<Schema>;

/** Creates a user for an unknown Google account. Throws `auth.identity_conflict` (`account_exists`). */
export async function userOf(db: Db, google: GoogleIdentity, now: string): Promise<User> {
  const known = await findGoogleAccount(db, google.subject);
  const holder = known === undefined ? undefined : await findUser(db, known.user_id);
  // Also undefined if the account was just deleted: then its Google account is unknown.
  if (holder !== undefined) return holder;
  const created = await db
    .transaction()
    .execute(async (transaction) => {
      const { subject, email } = google;
      if (await hasAccount(transaction, email)) throw accountExists();
      const user = await createUser(transaction, cleanDisplayName(google.name), now);
      if (await linkGoogleAccount(transaction, { subject, email, user_id: user.id, linked_at: now })) return user;
      // Another callback of the same Google account was faster: this user is rolled back.
      throw new Overtaken();
    })
    .catch((error: unknown) => {
      if (error instanceof Overtaken) return null;
      throw error;
    });
  return created ?? userOf(db, google, now);
}

/** Compares the normalized address; one that cannot be normalized has no account. */
async function hasAccount(db: Db, email: string): Promise<boolean> {
  const address = normalAddress(email);
  return address !== null && (await findEmail(db, address)) !== undefined;
}

class Overtaken extends Error {}

/**
 * Linking a linked account changes nothing. Throws `auth.identity_conflict` (`google_taken`), `auth.identity_conflict` (`google_linked`), `users.not_found`.
 */
export async function linkTo(db: Db, by: By, google: GoogleIdentity, now: string): Promise<GoogleAccountRow> {
  const user_id = by.actor;
  return db.transaction().execute(async (transaction) => {
    if (!(await lockUser(transaction, user_id))) throw noSuchUser();
    const holder = await findGoogleAccount(transaction, google.subject);
    if (holder?.user_id === user_id) return holder;
    if (holder !== undefined) throw taken();
    if ((await listIdentities(transaction, user_id)).google !== null) throw otherLinked();
    const { subject, email } = google;
    const row = { subject, email, user_id, linked_at: now };
    if (!(await linkGoogleAccount(transaction, row))) throw taken();
    await markProven(transaction, user_id);
    await noteLink(transaction, 'auth.link', by, 'google', now);
    return row;
  });
}

const accountExists = (): Problem =>
  accountsProblem(
    'auth.identity_conflict',
    "An account with this Google account's email address already exists. Sign in to it with email, then " +
      'link Google with POST /api/auth/google/link.',
    { reason: 'account_exists' },
  );

const taken = (): Problem =>
  accountsProblem(
    'auth.identity_conflict',
    'This Google account is linked to another account. Unlink it there first.',
    { reason: 'google_taken' },
  );

const otherLinked = (): Problem =>
  accountsProblem(
    'auth.identity_conflict',
    'Another Google account is linked to this account. Unlink it first with DELETE /api/auth/google.',
    { reason: 'google_linked' },
  );
