import type { Kysely } from 'kysely';
import { PAGE_COOKIE, readCookie } from '#accounts/auth/page-cookie.ts';
import { findSignIn, type SignIn } from '#accounts/sign-ins/sign-ins.ts';
import type { Tokens } from '#accounts/tokens/tokens.ts';
import { findUser, type User } from '#accounts/users/users.ts';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import type { Input } from '#core/http/operation.ts';
import { SERVICE } from '#core/service.ts';

/** The user who is signed in on the web pages, by the token in the cookie. */

export interface PageSession {
  sign_in: SignIn;
  user: User;
}

interface PageSessionDeps {
  db: Kysely<Schema>;
  clock: Clock;
  tokens: Tokens;
  /** Public URL of the pages. */
  base_url: string;
}

/** Null if nobody is signed in. A client's token is not a page session. */
export async function readPageSession(
  { db, clock, tokens, base_url }: PageSessionDeps,
  headers: Input['headers'],
): Promise<PageSession | null> {
  const token = readCookie(base_url, headers, PAGE_COOKIE, /^[\w.-]+$/);
  const claims = token === '' ? 'invalid' : await tokens.verify(token);
  if (typeof claims === 'string' || claims.client_id !== SERVICE.name) return null;
  const now = isoTime(clock.now());
  const [sign_in, user] = await Promise.all([findSignIn(db, claims.sub, claims.sid, now), findUser(db, claims.sub)]);
  if (sign_in === undefined || user === undefined || sign_in.current_jti !== claims.jti) return null;
  return { sign_in, user };
}
