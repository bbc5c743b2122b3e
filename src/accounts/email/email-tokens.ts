import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { accountsProblem } from '#accounts/errors.ts';
import { isoTime } from '#core/clock/clock.ts';
import { sha256 } from '#core/crypto/sha256.ts';
import type { Schema } from '#core/db/schema.ts';
import type { EmailTokenRow } from '#core/db/schema-identity.ts';
import type { Problem } from '#core/problem/problem.ts';

/** Tokens of emailed links: the only SQL that uses `email_tokens`. The token itself is in the email only. */

type Db = Kysely<Schema>;
type Purpose = 'register' | 'link' | 'reset' | 'sign_in';
export type EmailToken = Omit<EmailTokenRow, 'purpose'> & { purpose: Purpose };

const TOKEN_BYTES = 32;
const HOUR_MS = 3_600_000;
export const LINK_LIFE_MS: Record<Purpose, number> = {
  register: 24 * HOUR_MS,
  link: 24 * HOUR_MS,
  reset: HOUR_MS,
  sign_in: HOUR_MS,
};

/** How long a notification to the owner is retried. */
export const NOTICE_LIFE_MS = 24 * HOUR_MS;

/** How long an expired link is distinguished from an unknown one. */
export const KEPT_AFTER_MS = 24 * HOUR_MS;

interface NewToken {
  purpose: Purpose;
  email: string;
  user_id?: string;
  password_hash?: string;
  display_name?: string;
}

/** Returns the token for the email. */
export async function addToken(db: Db, newToken: NewToken, now_ms: number): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const row: EmailTokenRow = {
    token_hash: sha256(token),
    user_id: null,
    password_hash: null,
    display_name: null,
    used_at: null,
    ...newToken,
    created_at: isoTime(now_ms),
    expires_at: isoTime(now_ms + LINK_LIFE_MS[newToken.purpose]),
  };
  await db.insertInto('email_tokens').values(row).execute();
  return token;
}

/** Returns a usable token. Throws a 401 that says what is wrong with it. */
export async function findToken(db: Db, token: string, purposes: readonly Purpose[], now: string): Promise<EmailToken> {
  const row = (await db
    .selectFrom('email_tokens')
    .selectAll()
    .where('token_hash', '=', sha256(token))
    .where('purpose', 'in', purposes)
    .executeTakeFirst()) as EmailToken | undefined;
  if (row === undefined) throw linkUnknown();
  if (row.used_at !== null) throw linkUsed();
  if (row.expires_at <= now) throw linkExpired();
  return row;
}

/** Uses up the token and all other links to the address. Of concurrent uses, one succeeds and the others get a 401. */
export async function useToken(transaction: Db, { token_hash, email }: EmailToken, now: string): Promise<void> {
  const ended = await retireTokens(transaction, email, now);
  if (!ended.includes(token_hash)) throw linkUsed();
}

/**
 * Invalidates every link emailed to the address so far. A single statement, and the first of its transaction: two
 * transactions that lock the links, the user and the address in different orders would deadlock.
 */
export async function retireTokens(transaction: Db, email: string, now: string): Promise<string[]> {
  const ended = await transaction
    .updateTable('email_tokens')
    .set({ used_at: now })
    .where('email', '=', email)
    .where('used_at', 'is', null)
    .returning('token_hash')
    .execute();
  return ended.map((row) => row.token_hash);
}

/** Deletes every link that a user requested, and every link to the address if given. */
export async function forgetTokens(db: Db, user_id: string, email: string | null): Promise<void> {
  await db
    .deleteFrom('email_tokens')
    .where((eb) => eb.or([eb('user_id', '=', user_id), ...(email === null ? [] : [eb('email', '=', email)])]))
    .execute();
}

export const linkUnknown = (): Problem =>
  accountsProblem('auth.email_link_invalid', 'Unknown link. Request a new email.', { reason: 'unknown' });

const linkUsed = (): Problem =>
  accountsProblem(
    'auth.email_link_invalid',
    'This link was already used or replaced by a newer one. Sign in, or request a new email.',
    { reason: 'used' },
  );

const linkExpired = (): Problem =>
  accountsProblem('auth.email_link_invalid', 'This link has expired. Request a new email.', { reason: 'expired' });
