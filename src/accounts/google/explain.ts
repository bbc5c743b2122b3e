import { accountsProblem } from '#accounts/errors.ts';
import { Problem } from '#core/problem/problem.ts';

/**
 * Converts errors of the OpenID client to Problems. Texts of the provider are not repeated, because anyone can forge a
 * callback.
 */

/** Nothing works without the provider's metadata, whatever is wrong with it. */
export const explainDiscovery = (error: unknown): Problem => problemIn(error) ?? failed(error);

export function explainGrant(error: unknown): Problem {
  const known = problemIn(error);
  if (known !== undefined) return known;
  const { code = '', error: oauth } = error as { code?: string; error?: string };
  if (code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR') return oauth === 'access_denied' ? denied(error) : failed(error);
  if (code === 'OAUTH_RESPONSE_BODY_ERROR') return oauth === 'invalid_grant' ? notVerified(error) : failed(error);
  return NOT_VERIFIED.has(code) ? notVerified(error) : failed(error);
}

const NOT_VERIFIED = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
]);

/** An error of our own fetch; the library wraps it. */
function problemIn(error: unknown): Problem | undefined {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 8; cause = cause.cause, depth++)
    if (cause instanceof Problem) return cause;
  return undefined;
}

const denied = (cause: unknown): Problem =>
  accountsProblem('auth.google_denied', 'You declined the Google sign-in. Try again.', {
    cause,
  });

const notVerified = (cause: unknown): Problem =>
  accountsProblem('auth.google_sign_in_invalid', "Google's response could not be verified. Start the sign-in again.", {
    reason: 'not_verified',
    cause,
  });

const failed = (cause: unknown): Problem =>
  accountsProblem(
    'auth.google_failed',
    'The Google sign-in failed. Try again. If it keeps failing, the operator should check the client ID, ' +
      'client secret and redirect URI.',
    { cause },
  );
