import { jwtClaims } from './jwt-claims.ts';

/** The name of a signed-in account, which tells several connections to one server apart. Pure. */

const MOST_CHARS = 200;
const CLAIMS = ['email', 'preferred_username', 'name'] as const;

/**
 * The account that an ID token names; undefined without one. The token comes from the issuer's token endpoint, and the name
 * is only shown, so its signature is not verified (OpenID Connect Core, 3.1.3.7).
 */
export function accountIn(id_token: string | undefined): string | undefined {
  const claims = id_token === undefined ? {} : jwtClaims(id_token);
  return CLAIMS.map((name) => claims[name]).find(isName);
}

const isName = (value: unknown): value is string =>
  typeof value === 'string' &&
  value.trim() !== '' &&
  value.length <= MOST_CHARS &&
  value.isWellFormed() &&
  !/[\p{Cc}\p{Cf}]/u.test(value);
