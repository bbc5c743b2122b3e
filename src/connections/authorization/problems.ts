import { Problem } from '#core/problem/problem.ts';
import { Refused } from './oauth-fetch.ts';
import type { Sdk } from './sdk.ts';

/** What goes wrong in a sign-in to a server, as Problems. Texts of the other side are never repeated. */

const AGAIN = 'Start again with POST /api/sessions/connections/{id}/oauth/start.';

export const authRequired = (): Problem =>
  new Problem('conflict', 'sessions.auth_required', `The connection has to be signed in first. ${AGAIN}`);

export const notOffered = (): Problem =>
  new Problem(
    'unprocessable',
    'sessions.oauth_not_offered',
    'The server names no authorization server that can be found. Store credentials for the connection instead.',
  );

export const pkceMissing = (): Problem =>
  new Problem(
    'unprocessable',
    'sessions.oauth_pkce_missing',
    'The authorization server does not announce PKCE with S256, so that its codes could be stolen. It is not used.',
  );

export const metadataRefused = (why: string, cause?: unknown): Problem =>
  new Problem('upstream_failed', 'sessions.oauth_metadata_refused', `What the server says of its sign-in ${why}.`, {
    cause,
  });

export const issuerMismatch = (cause?: unknown): Problem =>
  new Problem(
    'upstream_failed',
    'sessions.oauth_issuer_mismatch',
    `The answer is not of the authorization server that was asked. Nothing was stored. ${AGAIN}`,
    { cause },
  );

export const resourceMismatch = (cause?: unknown): Problem =>
  new Problem(
    'upstream_failed',
    'sessions.oauth_resource_mismatch',
    "The server's metadata is that of another resource. It is not used.",
    { cause },
  );

export const clientRefused = (cause?: unknown): Problem =>
  new Problem(
    'unprocessable',
    'sessions.oauth_client_refused',
    'The authorization server does not register us as a client. The operator can register one by hand and name it, with this server, in CAPSTAN_OAUTH_CLIENTS.',
    { cause },
  );

export const scopeRefused = (): Problem =>
  new Problem(
    'unprocessable',
    'sessions.oauth_scope_refused',
    'The server asks only for scopes that the operator does not allow for its client. Ask the operator to add them.',
  );

export const audienceMismatch = (): Problem =>
  new Problem(
    'upstream_failed',
    'sessions.oauth_audience_mismatch',
    'The authorization server issued a token for another server. It was revoked, and nothing was stored.',
  );

export const denied = (cause?: unknown): Problem =>
  new Problem('forbidden', 'sessions.oauth_denied', `The sign-in was not allowed at the server. ${AGAIN}`, { cause });

export const failed = (cause?: unknown): Problem =>
  new Problem('upstream_failed', 'sessions.oauth_failed', `The server did not complete the sign-in. ${AGAIN}`, {
    cause,
  });

export const refreshFailed = (cause?: unknown): Problem =>
  new Problem(
    'upstream_failed',
    'sessions.oauth_refresh_failed',
    'The access to the server has run out and could not be renewed just now. Try again in a moment.',
    { cause },
  );

/** For `last_error`: both are mended by one sign-in, which keeps the connection. */
export const grantEnded = (): Problem =>
  new Problem('conflict', 'sessions.oauth_grant_ended', `The server takes the sign-in no more. ${AGAIN}`);

export const scopeNeeded = (): Problem =>
  new Problem('conflict', 'sessions.oauth_scope_needed', `The server asks for a wider permission. ${AGAIN}`);

export const stateUnknown = (): Problem =>
  new Problem('unauthenticated', 'sessions.oauth_state_unknown', `No sign-in has this state. ${AGAIN}`);

export const stateUsed = (): Problem =>
  new Problem('unauthenticated', 'sessions.oauth_state_used', `This sign-in was completed before. ${AGAIN}`);

export const stateExpired = (): Problem =>
  new Problem('unauthenticated', 'sessions.oauth_state_expired', `This sign-in took longer than ten minutes. ${AGAIN}`);

export const otherBrowser = (): Problem =>
  new Problem(
    'unauthenticated',
    'sessions.oauth_other_browser',
    `This sign-in was started in another browser, or its cookie is gone. ${AGAIN}`,
  );

export const otherUser = (): Problem =>
  new Problem(
    'unauthenticated',
    'sessions.oauth_other_user',
    `This sign-in was started by another user of this browser. ${AGAIN}`,
  );

/** What the official client threw while a sign-in began or ended. */
export function explain(sdk: Sdk, error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof Refused) return error.error === 'access_denied' ? denied(error) : failed(error);
  return error instanceof sdk.IssuerMismatchError || error instanceof sdk.AuthorizationServerMismatchError
    ? issuerMismatch(error)
    : failed(error);
}
