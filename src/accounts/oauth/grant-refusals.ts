import { accountsProblem } from '#accounts/errors.ts';
import type { Problem } from '#core/problem/problem.ts';

/** Responses to an invalid grant (RFC 6749, section 5.2). They do not say what is wrong with it. */

export const grantRefused = (): Problem =>
  accountsProblem(
    'auth.oauth_invalid',
    'Invalid authorization code or refresh token: it is unknown, expired, already used, or was issued for ' +
      'another request. Start again at the authorization endpoint.',
    { reason: 'grant', extensions: { oauth_error: 'invalid_grant' } },
  );

export const grantUnknown = (): Problem =>
  accountsProblem(
    'auth.oauth_invalid',
    'grant_type must be authorization_code, with code, code_verifier and client_id, or refresh_token, with refresh_token and client_id.',
    { reason: 'grant_type', extensions: { oauth_error: 'unsupported_grant_type' } },
  );

export const scopeRefused = (agreed: string): Problem =>
  accountsProblem('auth.oauth_invalid', `The requested scope exceeds the granted scope (${agreed}).`, {
    reason: 'scope',
    extensions: { oauth_error: 'invalid_scope' },
  });

export const resourceRefused = (): Problem =>
  accountsProblem('auth.oauth_invalid', 'The resource differs from the one the user authorized.', {
    reason: 'resource',
    extensions: { oauth_error: 'invalid_target' },
  });
