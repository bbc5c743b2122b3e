import { createHash, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import type { EmailTokenRow } from '#core/db/schema-identity.ts';
import { Problem } from '#core/problem/problem.ts';

/** What mailed links stand for: the only SQL that names `email_tokens`. The token itself is in the mail and nowhere else. */

type Db = Kysely<Schema>;
export type Purpose = 'register' | 'link' | 'reset' | 'sign_in';
export type EmailToken = Omit<EmailTokenRow, 'purpose'> & { purpose: Purpose };

const TOKEN_BYTES = 32;
const HOUR_MS = 3_600_000;
export const LINK_LIFE_MS: Record<Purpose, number> = {
  register: 24 * HOUR_MS,
  link: 24 * HOUR_MS,
  reset: HOUR_MS,
  sign_in: HOUR_MS,
};

/** How long we try to tell an owner what happened. */
export const NOTICE_LIFE_MS = 24 * HOUR_MS;

/** So long after its end a link is still told apart from one that never was. */
export const KEPT_AFTER_MS = 24 * HOUR_MS;

export interface NewToken {
  purpose: Purpose;
  email: string;
  user_id?: string;
  password_hash?: string;
  display_name?: string;
}

/** Answers the token to mail. */
export async function addToken(db: Db, newToken: NewToken, now_ms: number): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const row: EmailTokenRow = {
    token_hash: hashOf(token),
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

/** A token that can still be used; else 401 by what is wrong with it. */
export async function findToken(db: Db, token: string, purposes: readonly Purpose[], now: string): Promise<EmailToken> {
  const row = (await db
    .selectFrom('email_tokens')
    .selectAll()
    .where('token_hash', '=', hashOf(token))
    .where('purpose', 'in', purposes)
    .executeTakeFirst()) as EmailToken | undefined;
  if (row === undefined) throw linkUnknown();
  if (row.used_at !== null) throw linkUsed();
  if (row.expires_at <= now) throw linkExpired();
  return row;
}

/** Uses it up, with all other links to the address: of several at once one comes through, the others get a 401. */
export async function useToken(transaction: Db, { token_hash, email }: EmailToken, now: string): Promise<void> {
  const ended = await retireTokens(transaction, email, now);
  if (!ended.includes(token_hash)) throw linkUsed();
}

/**
 * After this no link mailed to the address so far does anything. One statement, and the first one of its transaction:
 * two that went through the links, the user and the address in different orders would wait for each other for ever.
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

/** Every link that a user asked for, and where an address is given, every link to that. */
export const forgetTokens = async (db: Db, user_id: string, email: string | null): Promise<void> => {
  await db
    .deleteFrom('email_tokens')
    .where((eb) => eb.or([eb('user_id', '=', user_id), ...(email === null ? [] : [eb('email', '=', email)])]))
    .execute();
};

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

export const linkUnknown = (): Problem =>
  new Problem('unauthenticated', 'auth.mail_link_unknown', 'Unknown link. Request a new email.');

const linkUsed = (): Problem =>
  new Problem(
    'unauthenticated',
    'auth.mail_link_used',
    'This link was already used or replaced by a newer one. Sign in, or request a new email.',
  );

const linkExpired = (): Problem =>
  new Problem('unauthenticated', 'auth.mail_link_expired', 'This link has expired. Request a new email.');
