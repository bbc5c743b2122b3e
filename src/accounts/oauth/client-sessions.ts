import { endStolen, noteEnd } from '#accounts/auth/noting.ts';
import { readResource } from '#accounts/auth/resources.ts';
import { issueToken, scopesNow } from '#accounts/sign-ins/issue-token.ts';
import {
  addSignIn,
  deleteSpentSignIns,
  findByRefreshFamily,
  findSignIn,
  renewByRefresh,
  revokeOldest,
  revokeSignIn,
  type SignIn,
} from '#accounts/sign-ins/sign-ins.ts';
import { MOST_SIGN_INS, newSignIn } from '#accounts/sign-ins/start.ts';
import type { Tokens } from '#accounts/tokens/tokens.ts';
import { findUser, lockUser, type User } from '#accounts/users/users.ts';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { Database } from '#core/db/open.ts';
import type { AuthorizationCodeRow } from '#core/db/schema-authorization.ts';
import type { Origin } from '#core/http/operation.ts';
import { newId } from '#core/ids.ts';
import { keepClient } from './clients.ts';
import { settleCode } from './codes.ts';
import type { CountEvent } from './counts.ts';
import { grantRefused, resourceRefused, scopeRefused } from './grant-refusals.ts';
import * as secrets from './refresh-secret.ts';
import { readScopes } from './scopes.ts';

/** Sessions of authorized clients: started with a code, extended with refresh tokens. */

interface ClientTokens {
  access_token: string;
  token_type: 'Bearer';
  /** Seconds. */
  expires_in: number;
  refresh_token: string;
  scope: string;
}

interface ClientSessionDeps {
  database: Database;
  clock: Clock;
  tokens: Tokens;
  base_url: string;
  count: CountEvent;
}

/** How long the previous tokens remain valid, for concurrent requests and lost responses. */
const GRACE_MS = 60_000;

/** The session inherits how and when the user signed in from the page's session, which must still be valid. */
export async function startClientSession(
  deps: ClientSessionDeps,
  code: AuthorizationCodeRow,
  user_agent: string,
): Promise<ClientTokens> {
  const { database, clock } = deps;
  const { user_id, client_id, client_name, resource, scope } = code;
  const now = isoTime(clock.now());
  const secret = secrets.newRefreshSecret();
  const { sign_in, user } = await database.db.transaction().execute(async (trx) => {
    if (!(await lockUser(trx, user_id))) throw grantRefused();
    const page = await findSignIn(trx, user_id, code.page_sign_in_id, now);
    if (page === undefined) throw grantRefused();
    const { method, wallet } = page;
    const sign_in: SignIn = {
      ...newSignIn({ user_id, method, wallet, user_agent }, clock.now()),
      client_id,
      client_name,
      resource,
      scope,
      refresh_salt: secrets.newSalt(),
      refresh_family_hash: secrets.familyHash(secret),
      refresh_hash: secrets.secretHash(secret),
      signed_in_at: page.signed_in_at,
    };
    await addSignIn(trx, sign_in);
    await revokeOldest(trx, sign_in.user_id, now, MOST_SIGN_INS);
    await deleteSpentSignIns(trx, user_id, now);
    // Of two holders of one code, one may be a thief, and it is unknown which: the session is revoked for both.
    const { was_replayed } = await settleCode(trx, code.code_hash, sign_in.id);
    if (was_replayed) await revokeSignIn(trx, user_id, sign_in.id, now);
    return { sign_in, user: (await findUser(trx, user_id)) as User };
  });
  await keepClient(database.db, client_id, clock.now());
  deps.count('redeemed');
  return answer(deps, sign_in, user, secret);
}

interface Shown {
  refresh_token: string;
  client_id: string;
  /** Fewer scopes than authorized, if given. */
  scope: string | undefined;
  resource: string | undefined;
  origin: Origin;
}

/**
 * Accepts the current refresh token of this client, or the previous one within the grace period. Any other token of a
 * session revokes it.
 */
export async function refreshClientSession(deps: ClientSessionDeps, shown: Shown): Promise<ClientTokens> {
  const { database, clock, base_url } = deps;
  const now = isoTime(clock.now());
  const secret = secrets.readSecret(shown.refresh_token);
  const known = secret === null ? undefined : await findByRefreshFamily(database.db, secrets.familyHash(secret), now);
  if (secret === null || known === undefined || known.client_id !== shown.client_id) throw grantRefused();
  if (shown.resource !== undefined && readResource(base_url, shown.resource) !== known.resource)
    throw resourceRefused();
  const scope = narrowed(known.scope ?? '', shown.scope);
  const { sign_in, next } = await renew(deps, known, secret, shown.origin);
  const user = await findUser(database.db, sign_in.user_id);
  if (user === undefined) throw grantRefused();
  await keepClient(database.db, shown.client_id, clock.now());
  deps.count('refreshed');
  return answer(deps, { ...sign_in, scope }, user, next);
}

/** RFC 6749, section 6: never more than was authorized. */
function narrowed(agreed: string, asked: string | undefined): string {
  if (asked === undefined) return agreed;
  const scopes = readScopes(asked);
  if (scopes.length === 0 || scopes.some((scope) => !agreed.split(' ').includes(scope))) throw scopeRefused(agreed);
  return scopes.join(' ');
}

async function renew(
  { database, clock, count }: ClientSessionDeps,
  known: SignIn,
  secret: secrets.RefreshSecret,
  origin: Origin,
) {
  const { db } = database;
  const now = isoTime(clock.now());
  const [shown_hash, salt] = [secrets.secretHash(secret), secrets.newSalt()];
  const next = secrets.nextSecret(secret, salt);
  const renewed = await renewByRefresh(db, {
    id: known.id,
    jti: known.current_jti,
    next_jti: newId(),
    now,
    previous_until: isoTime(clock.now() + GRACE_MS),
    shown_hash,
    next_hash: secrets.secretHash(next),
    salt,
  });
  if (renewed !== undefined) return { sign_in: renewed, next };
  // Another request has already used this token, recently or long ago.
  const sign_in = await findSignIn(db, known.user_id, known.id, now);
  if (sign_in === undefined) throw grantRefused();
  const { refresh_previous_hash, previous_until, refresh_salt } = sign_in;
  if (refresh_previous_hash === shown_hash && (previous_until ?? '') > now)
    return { sign_in, next: secrets.nextSecret(secret, refresh_salt ?? '') };
  count('refresh_replayed');
  await endStolen(db, known.user_id, known.id, now, origin);
  throw grantRefused();
}

async function answer(
  { tokens, clock }: ClientSessionDeps,
  signIn: SignIn,
  user: User,
  secret: secrets.RefreshSecret,
): Promise<ClientTokens> {
  const scope = scopesNow(signIn, user).join(' ');
  // The user's tier no longer grants any of the scopes.
  if (scope === '') throw grantRefused();
  const { access_token, token_type, expires_in } = await issueToken(tokens, signIn, user, clock.now());
  return { access_token, token_type, expires_in, refresh_token: secrets.writeSecret(secret), scope };
}

/** Revokes the session of an access or refresh token. A token of another client is ignored (RFC 7009). */
export async function endClientSession(
  deps: ClientSessionDeps,
  { token, client_id, origin }: { token: string; client_id: string; origin: Origin },
): Promise<void> {
  const { database, clock, tokens, count } = deps;
  const { db } = database;
  const now = isoTime(clock.now());
  const secret = secrets.readSecret(token);
  const held =
    secret === null ? await tokens.verify(token) : await findByRefreshFamily(db, secrets.familyHash(secret), now);
  if (held === undefined || typeof held === 'string' || held.client_id !== client_id) return;
  const [userId, id] = 'sid' in held ? [held.sub, held.sid] : [held.user_id, held.id];
  const isEnded = await db.transaction().execute(async (trx) => {
    const ended = await revokeSignIn(trx, userId, id, now);
    if (ended) await noteEnd(trx, { actor: userId, origin }, id, now);
    return ended;
  });
  if (isEnded) count('revoked');
}
