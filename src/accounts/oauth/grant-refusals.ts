import { Problem } from '#core/problem/problem.ts';

/** The answers to a grant that does not do (RFC 6749 section 5.2). They do not say what is wrong with it. */

export const grantRefused = (): Problem =>
  new Problem(
    'invalid_request',
    'auth.grant_refused',
    'The code or refresh token is not good for this: it is unknown, was used, has expired, or was made for another request. Begin anew at the authorization endpoint.',
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
  new Problem('invalid_request', 'auth.scope_refused', `The user agreed to ${agreed}, and to no more than that.`, {
    extensions: { oauth_error: 'invalid_scope' },
  });

export const resourceRefused = (): Problem =>
  new Problem('invalid_request', 'auth.resource_refused', 'The resource is not the one that the user agreed to.', {
    extensions: { oauth_error: 'invalid_target' },
  });
