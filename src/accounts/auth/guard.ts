import type { Kysely } from 'kysely';
import { findApiKey } from '#accounts/api-keys/api-keys.ts';
import { TIERS, tierNamed } from '#accounts/quotas/tiers.ts';
import { findStanding, type SignInOfUser } from '#accounts/sign-ins/sign-ins.ts';
import { type Claims, scopesOf } from '#accounts/tokens/claims.ts';
import type { Tokens } from '#accounts/tokens/tokens.ts';
import { refuseSuspended, type Suspended } from '#accounts/users/suspension.ts';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import type { Caller, Scope } from '#core/http/caller.ts';
import type { Guard } from '#core/http/gates.ts';
import type { OperationBase } from '#core/http/operation.ts';
import { Problem } from '#core/problem/problem.ts';
import { SERVICE } from '#core/service.ts';
import { readBearer } from './bearer.ts';
import { endStolen } from './noting.ts';
import { insufficientScope, metadataUrl, namingMetadata, tokenExpired, tokenInvalid } from './refusals.ts';
import { createStepUp, type VerifyStepUp } from './step-up.ts';

/** Decides who may call an operation. Every access class is enforced here and nowhere else. */

interface GuardDeps {
  db: Kysely<Schema>;
  /** For the read that every request with a credential makes. */
  reads: Kysely<Schema>;
  clock: Clock;
  tokens: Tokens;
  verifyStepUp: VerifyStepUp;
  base_url: string;
}

/**
 * Only for this operation, a token that was replaced long ago indicates theft: its holder tries to extend the session.
 */
const RENEWING = 'accounts.signIns.refresh';

type Headers = Parameters<Guard['admit']>[1];

export function createGuard(deps: GuardDeps): Guard {
  return {
    admit: (operation, headers, path = operation.path) =>
      admit(deps, operation, headers).catch((error) => {
        const known = operation.also?.includes(path) === true ? path : operation.path;
        const resourcePath = operation.protected_resource === true ? known : '';
        throw error instanceof Problem ? namingMetadata(error, metadataUrl(deps.base_url, resourcePath)) : error;
      }),
    stepUp: createStepUp(deps),
  };
}

async function admit(deps: GuardDeps, operation: OperationBase, headers: Headers): Promise<Caller> {
  const credential = readBearer(headers);
  const caller = credential.startsWith('cap_')
    ? await callerByKey(deps, operation, credential)
    : await callerByToken(deps, operation, credential);
  const needed = neededScope(operation);
  if (!caller.scopes.includes(needed)) throw insufficientScope(needed);
  return caller;
}

export const neededScope = ({ scope, method }: OperationBase): Scope => scope ?? (method === 'GET' ? 'read' : 'write');

async function callerByToken(
  { db, reads, clock, tokens, base_url }: GuardDeps,
  operation: OperationBase,
  token: string,
) {
  const claims = await tokens.verify(token);
  if (claims === 'expired') throw tokenExpired();
  if (claims === 'invalid') throw tokenInvalid();
  const now = isoTime(clock.now());
  const signIn = await findStanding(reads, claims.sid, now);
  if (signIn === undefined || signIn.user_id !== claims.sub) throw tokenInvalid();
  if (!isTakenAt(operation, claims, base_url)) throw tokenInvalid();
  if (!isTaken(claims, signIn, now)) {
    if (operation.id === RENEWING) await endStolen(db, signIn.user_id, signIn.id, now);
    throw tokenInvalid();
  }
  refuseSuspendedAt(operation, signIn);
  return callerOf(signIn, scopesOf(claims), {
    user_id: claims.sub,
    sign_in_id: claims.sid,
    api_key_id: null,
    // The user signed in to authorize a client, which must not be able to change sign-in methods.
    signed_in_at_ms: claims.client_id === SERVICE.name ? claims.auth_time * 1_000 : null,
  });
}

/** A token for the whole service is accepted everywhere, a token for one resource only there (RFC 8707). */
const isTakenAt = ({ path }: OperationBase, { aud }: Claims, baseUrl: string): boolean =>
  aud === baseUrl || aud === baseUrl + path;

/** True for the current token of a session, or the previous one within its grace period. */
const isTaken = ({ jti }: Claims, signInOfUser: SignInOfUser, now: string): boolean =>
  jti === signInOfUser.current_jti ||
  (jti === signInOfUser.previous_jti && signInOfUser.previous_until !== null && signInOfUser.previous_until > now);

async function callerByKey({ db, reads, clock }: GuardDeps, operation: OperationBase, text: string): Promise<Caller> {
  const key = await findApiKey(db, text, isoTime(clock.now()), reads);
  if (key === undefined) throw tokenInvalid();
  refuseSuspendedAt(operation, key);
  return callerOf(key, key.scopes, {
    user_id: key.user_id,
    sign_in_id: null,
    api_key_id: key.id,
    signed_in_at_ms: null,
  });
}

function refuseSuspendedAt({ for_suspended }: OperationBase, account: Suspended): void {
  if (for_suspended !== true) refuseSuspended(account);
}

interface Account {
  tier: string;
  is_operator: number;
  unproven_network: string | null;
}

type Known = Pick<Caller, 'user_id' | 'sign_in_id' | 'api_key_id' | 'signed_in_at_ms'>;

/** The scopes of the credential that the tier grants today. An unknown tier grants the least. */
function callerOf(user: Account, allowed: readonly Scope[], known: Known): Caller {
  const tier = tierNamed(user.tier) ?? 'free';
  const scopes = TIERS[tier].scopes.filter((scope) => allowed.includes(scope));
  const { unproven_network } = user;
  return { ...known, tier, scopes, is_operator: user.is_operator === 1, unproven_network };
}
