import { Problem } from '#core/problem/problem.ts';
import { Refused } from './oauth-fetch.ts';
import type { Sdk } from './sdk.ts';

/** Errors of OAuth authorization as Problems. Texts of the server are never repeated. */

const AGAIN = 'Start again with POST /api/sessions/connections/{id}/oauth/start.';

/** A package is given its secrets when it is started. */
export const signInUnsupported = (): Problem =>
  new Problem(
    'unprocessable',
    'sessions.credentials_unfit',
    'The server is started from a package, so there is no sign-in. Store its values with PUT …/credentials.',
  );

export const authRequired = (): Problem =>
  new Problem('conflict', 'sessions.auth_required', `Authorization required for this connection. ${AGAIN}`);

export const notOffered = (): Problem =>
  new Problem(
    'unprocessable',
    'sessions.oauth_not_offered',
    'No authorization server found for this server. Store credentials for the connection instead.',
  );

export const pkceMissing = (): Problem =>
  new Problem(
    'unprocessable',
    'sessions.oauth_pkce_missing',
    'The authorization server does not announce PKCE with S256, so authorization codes could be intercepted. Nothing was sent.',
  );

export const metadataRefused = (why: string, cause?: unknown): Problem =>
  new Problem('upstream_failed', 'sessions.oauth_metadata_refused', `The OAuth metadata of the server ${why}.`, {
    cause,
  });

export const issuerMismatch = (cause?: unknown): Problem =>
  new Problem(
    'upstream_failed',
    'sessions.oauth_issuer_mismatch',
    `The response comes from a different issuer than the one requested. Nothing was stored. ${AGAIN}`,
    { cause },
  );

export const resourceMismatch = (cause?: unknown): Problem =>
  new Problem(
    'upstream_failed',
    'sessions.oauth_resource_mismatch',
    "The server's metadata describes a different resource and was rejected.",
    { cause },
  );

export const clientRefused = (cause?: unknown): Problem =>
  new Problem(
    'unprocessable',
    'sessions.oauth_client_refused',
    'The authorization server does not accept this service as a client. The operator can register a client manually and set CAPSTAN_OAUTH_CLIENTS.',
    { cause },
  );

export const scopeRefused = (): Problem =>
  new Problem(
    'unprocessable',
    'sessions.oauth_scope_refused',
    'The server requires scopes that the operator does not allow for its client. Ask the operator to add them.',
  );

export const audienceMismatch = (): Problem =>
  new Problem(
    'upstream_failed',
    'sessions.oauth_audience_mismatch',
    'The authorization server issued a token for a different server. The token was revoked and nothing was stored.',
  );

export const denied = (cause?: unknown): Problem =>
  new Problem('forbidden', 'sessions.oauth_denied', `Authorization denied. ${AGAIN}`, { cause });

export const failed = (cause?: unknown): Problem =>
  new Problem('upstream_failed', 'sessions.oauth_failed', `The authorization server returned an error. ${AGAIN}`, {
    cause,
  });

export const refreshFailed = (cause?: unknown): Problem =>
  new Problem(
    'upstream_failed',
    'sessions.oauth_refresh_failed',
    'The access token expired and could not be refreshed. Try again in a moment.',
    { cause },
  );

/** For `last_error`: one authorization fixes both, and keeps the connection. */
export const grantEnded = (): Problem =>
  new Problem('conflict', 'sessions.oauth_grant_ended', `The server no longer accepts this authorization. ${AGAIN}`);

export const scopeNeeded = (): Problem =>
  new Problem('conflict', 'sessions.oauth_scope_needed', `The server requires additional scopes. ${AGAIN}`);

export const stateUnknown = (): Problem =>
  new Problem('unauthenticated', 'sessions.oauth_state_unknown', `Unknown state. ${AGAIN}`);

export const stateUsed = (): Problem =>
  new Problem('unauthenticated', 'sessions.oauth_state_used', `This authorization was already completed. ${AGAIN}`);

export const stateExpired = (): Problem =>
  new Problem(
    'unauthenticated',
    'sessions.oauth_state_expired',
    `This authorization expired after ten minutes. ${AGAIN}`,
  );

export const otherBrowser = (): Problem =>
  new Problem(
    'unauthenticated',
    'sessions.oauth_other_browser',
    `This authorization was started in another browser, or its cookie is missing. ${AGAIN}`,
  );

export const otherUser = (): Problem =>
  new Problem(
    'unauthenticated',
    'sessions.oauth_other_user',
    `This authorization was started by another user of this browser. ${AGAIN}`,
  );

/** Explains an exception of the official client during an authorization. */
export function explain(sdk: Sdk, error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof Refused) return error.error === 'access_denied' ? denied(error) : failed(error);
  return error instanceof sdk.IssuerMismatchError || error instanceof sdk.AuthorizationServerMismatchError
    ? issuerMismatch(error)
    : failed(error);
}
