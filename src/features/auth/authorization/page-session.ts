import type { Kysely } from 'kysely';
import { type Clock, isoTime } from '../../../platform/clock.ts';
import type { Schema } from '../../../platform/db/schema.ts';
import type { Input } from '../../../platform/http/operation.ts';
import { SERVICE } from '../../../platform/service.ts';
import { findUser, type User } from '../../users/users.ts';
import { PAGE_COOKIE, readCookie } from '../page-cookie.ts';
import { findSignIn, type SignIn } from '../sign-ins/sign-ins.ts';
import type { Tokens } from '../tokens/tokens.ts';

/** Who is signed in on our pages, by the token in their cookie. */

export interface PageSession {
  sign_in: SignIn;
  user: User;
}

export interface PageSessionDeps {
  db: Kysely<Schema>;
  clock: Clock;
  tokens: Tokens;
  /** Where the pages are. */
  base_url: string;
}

/** Null for nobody. A client's token makes no page session. */
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
