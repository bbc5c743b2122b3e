import { accountsProblem } from '#accounts/errors.ts';
import { defined } from '#core/defined.ts';
import type { Scope } from '#core/http/caller.ts';
import { fieldsOf } from '#core/http/signed-fields.ts';
import { Problem } from '#core/problem/problem.ts';

/**
 * Responses to insufficient credentials, with the challenge of RFC 6750. They do not say what is wrong with the
 * credential.
 */

const challenge = (parameters = ''): Record<string, string> => ({
  'www-authenticate': `Bearer realm="capstan"${parameters}`,
});

/** URL of the metadata of a protected resource at this path (RFC 9728). */
export const metadataUrl = (base_url: string, path: string): string =>
  `${base_url}/.well-known/oauth-protected-resource${path}`;

/** Adds to the challenge where a client learns how to get a token. */
export function namingMetadata(refusal: Problem, url: string): Problem {
  const { kind, code, message, headers, extensions } = refusal;
  const challenge = headers['www-authenticate'];
  if (challenge === undefined) return refusal;
  const named = { ...headers, 'www-authenticate': `${challenge}, resource_metadata="${url}"` };
  return new Problem(kind, code, message, { headers: named, extensions });
}

/** `scopes`: what the client should request when it signs in its user. */
export const tokenMissing = (scopes: readonly Scope[] = []): Problem =>
  accountsProblem('auth.token_required', 'Authentication required. Send Authorization: Bearer <token>.', {
    headers: challenge(scopes.length === 0 ? '' : `, scope="${scopes.join(' ')}"`),
  });

export const tokenInvalid = (detail = 'Invalid token. Sign in again.'): Problem =>
  accountsProblem('auth.token_invalid', detail, {
    reason: 'invalid',
    headers: challenge(', error="invalid_token"'),
  });

export const tokenExpired = (): Problem =>
  accountsProblem('auth.token_invalid', 'Token expired. Sign in again.', {
    reason: 'expired',
    headers: challenge(', error="invalid_token", error_description="expired"'),
  });

/** `held`: scopes that the client would otherwise lose when it signs in its user again. */
export const insufficientScope = (needed: Scope, held: readonly Scope[] = []): Problem =>
  accountsProblem('auth.insufficient_scope', `Insufficient scope. Required scope: ${needed}.`, {
    reason: 'required',
    headers: challenge(`, error="insufficient_scope", scope="${[...held, needed].join(' ')}"`),
  });

interface SignableRequest {
  operation: string;
  target: string;
  /** Not null if the purpose has to state fields of the body. */
  fields: string | null;
}

/** The purpose as JSON, for a text that says what to request. */
export const purposeText = ({ operation, target, fields }: SignableRequest): string =>
  JSON.stringify({ operation, target, ...defined({ fields: fields === null ? undefined : fieldsOf(fields) }) });

/** For this request; the detail says what the client must send. */
export const signatureMissing = (request: SignableRequest): Problem =>
  accountsProblem(
    'auth.signature_required',
    'Wallet signature required. Request a challenge with this token and {"purpose": ' +
      `${purposeText(request)}}, sign its message, and send it as x-challenge-id and ` +
      'x-wallet-signature.',
    { headers: challenge(', error="insufficient_user_authentication"') },
  );

export const walletRequired = (): Problem =>
  accountsProblem(
    'auth.wallet_required',
    'Signature required, but the account has no device key or wallet. Add this device or link a wallet first.',
    {
      reason: 'none',
    },
  );

export const signInAgain = (): Problem =>
  accountsProblem(
    'auth.sign_in_required',
    'This operation requires a sign-in from the last ten minutes. Sign in again.',
    { reason: 'recent' },
  );

export const signInNeeded = (): Problem =>
  accountsProblem('auth.sign_in_required', 'This operation requires a session token; API keys have no session.', {
    reason: 'session',
  });

export const refreshElsewhere = (): Problem =>
  accountsProblem(
    'auth.sign_in_required',
    'This token belongs to an OAuth client. Refresh it at /oauth/token with its refresh token.',
    { reason: 'oauth_client' },
  );

export const accountChanged = (): Problem =>
  accountsProblem('auth.identity_conflict', 'The account changed during the sign-in. Sign in again.', {
    reason: 'account_changed',
  });

export const lastIdentity = (): Problem =>
  accountsProblem(
    'auth.identity_conflict',
    'Cannot remove the last sign-in method. Link another one first, or delete the account.',
    { reason: 'last_identity' },
  );
