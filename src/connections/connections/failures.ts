import { accountsProblem } from '#accounts/errors.ts';
import { type CONNECTIONS_ERRORS, connectionsProblem } from '#connections/errors.ts';
import type { McpFailure } from '#core/mcp/failure.ts';
import type { Problem } from '#core/problem/problem.ts';
import type { ConnectionAuth } from './connection.ts';

/** Failures of servers and other errors of this wing. Pure. */

export const noSuchConnection = (): Problem =>
  connectionsProblem('connections.not_found', 'Connection not found.', { reason: 'connection' });

const MAKERS: Record<McpFailure['reason'], (detail: string, extensions: Record<string, unknown>) => Problem> = {
  auth_needed: (detail, extensions) =>
    connectionsProblem('connections.authorization_required', detail, { reason: 'auth_required', extensions }),
  not_mcp: serverFailed('session'),
  unreachable: serverFailed('server_unreachable'),
  timed_out: (detail, extensions) => connectionsProblem('connections.timeout', detail, { extensions }),
  too_large: serverFailed('result_too_large'),
  refused: serverFailed('server_refused'),
  broken: serverFailed('session'),
  input_required: (detail, extensions) =>
    connectionsProblem('connections.tool_unsupported', detail, { reason: 'input_required', extensions }),
  start_failed: serverFailed('start_failed'),
  out_of_memory: serverFailed('out_of_memory'),
  wants_display: serverFailed('wants_display'),
  wants_network: (detail, extensions) => connectionsProblem('connections.hosts_required', detail, { extensions }),
};

type ServerReason = keyof (typeof CONNECTIONS_ERRORS)['connections.server_failed']['reasons'];

function serverFailed(reason: ServerReason) {
  return (detail: string, extensions: Record<string, unknown>): Problem =>
    connectionsProblem('connections.server_failed', detail, { reason, extensions });
}

/** For a call that was made or failed to start. */
export function problemOf(failure: McpFailure): Problem {
  if (isRefusedAddress(failure)) return addressRefused(failure);
  if (isRefusedAccess(failure))
    return connectionsProblem('connections.forbidden', sentence(failure), { reason: 'access' });
  return MAKERS[failure.reason](sentence(failure), failure.code === null ? {} : { mcp_code: failure.code });
}

/** For an address that cannot be connected with any credentials; null if it may work another time. */
export function refusalOf(failure: McpFailure): Problem | null {
  if (isRefusedAddress(failure)) return addressRefused(failure);
  if (failure.reason !== 'not_mcp') return null;
  return connectionsProblem('connections.invalid', `${sentence(failure)} No connection was created.`, {
    reason: 'not_mcp',
  });
}

const WANTS_SCOPE = /\berror\s*=\s*"?insufficient_scope\b/i;

/** A 403 with valid credentials concerns the account: signing in to it again does not help. */
export function refusedAccess(failure: McpFailure, { type }: Pick<ConnectionAuth, 'type'>): McpFailure {
  const { reason, status, challenge } = failure;
  if (reason !== 'auth_needed' || status !== 403 || type === 'none') return failure;
  if (type === 'oauth' && WANTS_SCOPE.test(challenge ?? '')) return failure;
  return { ...failure, reason: 'refused', detail: REFUSED_ACCESS };
}

const REFUSED_ACCESS =
  'the server denied access to this account (403): request access from its operator, or store other credentials';

const isRefusedAccess = ({ reason, status, code }: McpFailure): boolean =>
  reason === 'refused' && status === 403 && code === null;

const isRefusedAddress = ({ guard }: McpFailure): boolean => guard === 'blocked' || guard === 'redirect';

const addressRefused = (failure: McpFailure): Problem =>
  connectionsProblem('connections.invalid', sentence(failure), { reason: 'address' });

const sentence = ({ detail }: McpFailure): string => `${detail.charAt(0).toUpperCase()}${detail.slice(1)}.`;

export const timedOut = (timeout_ms: number): McpFailure => ({
  reason: 'timed_out',
  detail: `the server did not respond within ${timeout_ms / 1_000} s`,
  code: null,
  status: null,
  challenge: null,
  guard: null,
  is_stale: false,
});

export const tooManyConnections = (most: number): Problem =>
  accountsProblem('users.limit_exceeded', `You have ${most} connections, the limit. Delete one first.`, {
    reason: 'connections',
  });

export const nameTaken = (name: string): Problem =>
  connectionsProblem(
    'connections.conflict',
    `You have a connection named ${JSON.stringify(name)}. Choose another name.`,
  );
