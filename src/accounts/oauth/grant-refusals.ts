import { Problem } from '#core/problem/problem.ts';

/** Responses to an invalid grant (RFC 6749, section 5.2). They do not say what is wrong with it. */

export const grantRefused = (): Problem =>
  new Problem(
    'invalid_request',
    'auth.grant_refused',
    'Invalid authorization code or refresh token: it is unknown, expired, already used, or was issued for ' +
      'another request. Start again at the authorization endpoint.',
    { extensions: { oauth_error: 'invalid_grant' } },
  );

export const grantUnknown = (): Problem =>
  new Problem(
    'invalid_request',
    'auth.grant_type_unknown',
    'grant_type must be authorization_code, with code, code_verifier and client_id, or refresh_token, with refresh_token and client_id.',
    { extensions: { oauth_error: 'unsupported_grant_type' } },
  );

export const scopeRefused = (agreed: string): Problem =>
  new Problem('invalid_request', 'auth.scope_refused', `The requested scope exceeds the granted scope (${agreed}).`, {
    extensions: { oauth_error: 'invalid_scope' },
  });

export const resourceRefused = (): Problem =>
  new Problem('invalid_request', 'auth.resource_refused', 'The resource differs from the one the user authorized.', {
    extensions: { oauth_error: 'invalid_target' },
  });
