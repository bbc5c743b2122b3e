import type { JSONWebKeySet, JWTPayload } from 'jose';
import { jose } from '#accounts/tokens/jose.ts';
import type { Clock } from '#core/clock/clock.ts';
import type { OutboundFetch } from '#core/outbound/outbound.ts';
import type { Problem } from '#core/problem/problem.ts';
import { isRecord } from '#core/record.ts';
import type { Issuer } from './issuers.ts';
import { issuerUnknown, tokenForOthers, tokenMalformed, tokenOld } from './refusals.ts';
import { type Workload, workloadOf } from './workload.ts';

/** Verifies identity tokens of CI jobs (OpenID Connect) with the published keys of their issuer. */

interface Deps {
  fetch: OutboundFetch;
  clock: Clock;
  issuers: readonly Issuer[];
  /** The audience of tokens for this service. */
  base_url: string;
}

export interface VerifiedToken {
  issuer: Issuer;
  workload: Workload;
  /** Unique at the issuer. */
  jti: string;
  expires_at_ms: number;
}

const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'EdDSA'];
const MAX_TOKEN_CHARS = 16_384;
/** No CI job needs a token for longer, so that a leaked one is soon useless. */
const MAX_LIFETIME_S = 3_600;
const KEYS_KEPT_MS = 3_600_000;
/** An unknown key leads to another look at the issuer's keys, but not for each request with one. */
const LOOK_AGAIN_MS = 30_000;
const FETCHED = { timeout_ms: 10_000, max_bytes: 256 * 1024, max_redirects: 0 };
const MOST_KEYS = 100;

/** Throws `marketplace.trust_invalid`, or `outbound.*` if the issuer cannot be reached. */
type VerifyIdentity = (token: string) => Promise<VerifiedToken>;

export function identityVerifier({ fetch, clock, issuers, base_url }: Deps): VerifyIdentity {
  const known = new Map<string, { at_ms: number; keys: Promise<JSONWebKeySet> }>();
  const keysOf = (issuer: Issuer, maxAgeMs: number): Promise<JSONWebKeySet> => {
    const kept = known.get(issuer.url);
    if (kept !== undefined && clock.now() - kept.at_ms < maxAgeMs) return kept.keys;
    const asked = { at_ms: clock.now(), keys: fetchKeys(fetch, issuer) };
    asked.keys.catch(() => {
      if (known.get(issuer.url) === asked) known.delete(issuer.url);
    });
    known.set(issuer.url, asked);
    return asked.keys;
  };
  return async (token) => {
    const issuer = issuerOf(token, issuers);
    const verify = async (maxAgeMs: number) =>
      verified(token, await keysOf(issuer, maxAgeMs), issuer, base_url, clock.now());
    const claims = await verify(KEYS_KEPT_MS)
      .catch((error: unknown) => {
        // The issuer may have begun to use a new key.
        if (codeOf(error) !== 'ERR_JWKS_NO_MATCHING_KEY') throw error;
        return verify(LOOK_AGAIN_MS);
      })
      .catch((error: unknown) => {
        throw explained(error, base_url);
      });
    const { jti, iat = 0, exp = 0 } = claims;
    if (typeof jti !== 'string' || jti === '' || jti.length > 300) throw tokenMalformed('it has no id (jti)');
    if (exp - iat > MAX_LIFETIME_S) throw tokenMalformed('it is valid for more than an hour');
    const workload = workloadOf(issuer, claims);
    if ('unfit' in workload) throw tokenMalformed(workload.unfit.replace(/\.$/, ''));
    return { issuer, workload, jti, expires_at_ms: exp * 1_000 };
  };
}

async function verified(
  token: string,
  keys: JSONWebKeySet,
  { url }: Issuer,
  audience: string,
  nowMs: number,
): Promise<JWTPayload> {
  const { createLocalJWKSet, jwtVerify } = await jose();
  const { payload } = await jwtVerify(token, createLocalJWKSet(keys), {
    issuer: url,
    audience,
    algorithms: ALGORITHMS,
    requiredClaims: ['exp', 'iat', 'jti'],
    clockTolerance: 30,
    maxTokenAge: MAX_LIFETIME_S,
    currentDate: new Date(nowMs),
  });
  return payload;
}

/** Read before anything is verified, to know whose keys verify it. */
function issuerOf(token: string, issuers: readonly Issuer[]): Issuer {
  const claims = token.length > MAX_TOKEN_CHARS ? null : claimsIn(token);
  if (claims === null) throw tokenMalformed('it is not a JSON Web Token');
  const issuer = issuers.find(({ url }) => url === claims.iss);
  if (issuer === undefined) throw issuerUnknown(issuers);
  return issuer;
}

function claimsIn(token: string): Record<string, unknown> | null {
  const parts = token.split('.');
  if (parts.length !== 3) return null;
  try {
    const claims: unknown = JSON.parse(Buffer.from(parts[1] as string, 'base64url').toString('utf8'));
    return isRecord(claims) ? claims : null;
  } catch {
    return null;
  }
}

async function fetchKeys(fetch: OutboundFetch, { url }: Issuer): Promise<JSONWebKeySet> {
  const { issuer, jwks_uri } = await fetchJson(fetch, `${url}/.well-known/openid-configuration`);
  const address = URL.parse(typeof jwks_uri === 'string' ? jwks_uri : '');
  // Keys from an unprotected address could be anyone's.
  const isSafe = address !== null && (address.protocol === 'https:' || new URL(url).protocol === 'http:');
  if (issuer !== url || !isSafe) throw tokenMalformed('its issuer describes itself wrongly');
  const { keys } = await fetchJson(fetch, address.href);
  if (!Array.isArray(keys) || keys.length > MOST_KEYS) throw tokenMalformed('its issuer publishes no usable keys');
  return { keys };
}

async function fetchJson(fetch: OutboundFetch, url: string): Promise<Record<string, unknown>> {
  const response = await fetch(url, { headers: { accept: 'application/json' }, ...FETCHED });
  const text = await response.text();
  try {
    const value: unknown = response.ok ? JSON.parse(text) : null;
    if (isRecord(value)) return value;
  } catch {
    // As if it had answered with an error.
  }
  throw tokenMalformed('its issuer does not publish its keys');
}

const codeOf = (error: unknown): unknown => (error as { code?: unknown } | null)?.code;

/** The library's errors in our words; a Problem stays as it is. */
function explained(error: unknown, audience: string): unknown {
  const { code, claim } = (error ?? {}) as { code?: unknown; claim?: unknown };
  if (typeof code !== 'string' || !/^ERR_J(?:W[TSK]|OSE)/.test(code)) return error;
  if (code === 'ERR_JWT_EXPIRED') return tokenOld();
  if (code === 'ERR_JWT_CLAIM_VALIDATION_FAILED' && claim === 'aud') return tokenForOthers(audience);
  return tokenMalformed(REASONS[code] ?? 'its signature or its claims are not valid') satisfies Problem;
}

const REASONS: Record<string, string> = {
  ERR_JWKS_NO_MATCHING_KEY: 'its issuer does not know the key that signed it',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'its signature is wrong',
  ERR_JOSE_ALG_NOT_ALLOWED: 'it is signed with an algorithm that is not accepted',
};
