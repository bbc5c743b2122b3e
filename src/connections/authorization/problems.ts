import { connectionsProblem } from '#connections/errors.ts';
import { Problem } from '#core/problem/problem.ts';
import { Refused } from './oauth-fetch.ts';
import type { Sdk } from './sdk.ts';

/** Errors of OAuth authorization as Problems. Texts of the server are never repeated. */

const AGAIN = 'Start again with POST /api/sessions/connections/{id}/oauth/start.';

/** A package is given its secrets when it is started. */
export const signInUnsupported = (): Problem =>
  connectionsProblem(
    'connections.invalid',
    'The server is started from a package, so there is no sign-in. Store its values with PUT …/credentials.',
    { reason: 'credentials' },
  );

export const authRequired = (): Problem =>
  connectionsProblem('connections.authorization_required', `Authorization required for this connection. ${AGAIN}`, {
    reason: 'auth_required',
  });

export const notOffered = (): Problem =>
  connectionsProblem(
    'connections.oauth_unavailable',
    'No authorization server found for this server. Store credentials for the connection instead.',
    { reason: 'not_offered' },
  );

export const pkceMissing = (): Problem =>
  connectionsProblem(
    'connections.oauth_unavailable',
    'The authorization server does not announce PKCE with S256, so authorization codes could be intercepted. Nothing was sent.',
    { reason: 'pkce' },
  );

export const metadataRefused = (why: string, cause?: unknown): Problem =>
  connectionsProblem('connections.oauth_failed', `The OAuth metadata of the server ${why}.`, {
    reason: 'metadata',
    cause,
  });

export const issuerMismatch = (cause?: unknown): Problem =>
  connectionsProblem(
    'connections.oauth_failed',
    `The response comes from a different issuer than the one requested. Nothing was stored. ${AGAIN}`,
    { reason: 'issuer', cause },
  );

export const resourceMismatch = (cause?: unknown): Problem =>
  connectionsProblem(
    'connections.oauth_failed',
    "The server's metadata describes a different resource and was rejected.",
    { reason: 'resource', cause },
  );

export const clientRefused = (cause?: unknown): Problem =>
  connectionsProblem(
    'connections.oauth_unavailable',
    'The authorization server does not accept this service as a client. The operator can register a client manually and set CAPSTAN_OAUTH_CLIENTS.',
    { reason: 'client', cause },
  );

export const scopeRefused = (): Problem =>
  connectionsProblem(
    'connections.oauth_unavailable',
    'The server requires scopes that the operator does not allow for its client. Ask the operator to add them.',
    { reason: 'scope' },
  );

export const audienceMismatch = (): Problem =>
  connectionsProblem(
    'connections.oauth_failed',
    'The authorization server issued a token for a different server. The token was revoked and nothing was stored.',
    { reason: 'audience' },
  );

export const denied = (cause?: unknown): Problem =>
  connectionsProblem('connections.forbidden', `Authorization denied. ${AGAIN}`, { reason: 'denied', cause });

export const failed = (cause?: unknown): Problem =>
  connectionsProblem('connections.oauth_failed', `The authorization server returned an error. ${AGAIN}`, {
    reason: 'server_error',
    cause,
  });

export const refreshFailed = (cause?: unknown): Problem =>
  connectionsProblem(
    'connections.oauth_failed',
    'The access token expired and could not be refreshed. Try again in a moment.',
    { reason: 'refresh', cause },
  );

/** For `last_error`: one authorization fixes both, and keeps the connection. */
export const grantEnded = (): Problem =>
  connectionsProblem(
    'connections.authorization_required',
    `The server no longer accepts this authorization. ${AGAIN}`,
    { reason: 'grant_ended' },
  );

export const scopeNeeded = (): Problem =>
  connectionsProblem('connections.authorization_required', `The server requires additional scopes. ${AGAIN}`, {
    reason: 'scope_required',
  });

export const stateUnknown = (): Problem =>
  connectionsProblem('connections.oauth_state_invalid', `Unknown state. ${AGAIN}`, { reason: 'unknown' });

export const stateUsed = (): Problem =>
  connectionsProblem('connections.oauth_state_invalid', `This authorization was already completed. ${AGAIN}`, {
    reason: 'used',
  });

export const stateExpired = (): Problem =>
  connectionsProblem('connections.oauth_state_invalid', `This authorization expired after ten minutes. ${AGAIN}`, {
    reason: 'expired',
  });

export const otherBrowser = (): Problem =>
  connectionsProblem(
    'connections.oauth_state_invalid',
    `This authorization was started in another browser, or its cookie is missing. ${AGAIN}`,
    { reason: 'other_browser' },
  );

export const otherUser = (): Problem =>
  connectionsProblem(
    'connections.oauth_state_invalid',
    `This authorization was started by another user of this browser. ${AGAIN}`,
    { reason: 'other_user' },
  );

/** Explains an exception of the official client during an authorization. */
export function explain(sdk: Sdk, error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof Refused) return error.error === 'access_denied' ? denied(error) : failed(error);
  return error instanceof sdk.IssuerMismatchError || error instanceof sdk.AuthorizationServerMismatchError
    ? issuerMismatch(error)
    : failed(error);
}
