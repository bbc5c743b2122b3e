import type { McpFailure } from '#core/mcp/failure.ts';
import { Problem } from '#core/problem/problem.ts';
import type { ConnectionAuth } from './connection.ts';

/** Failures of servers and other errors of this wing. Pure. */

export const noSuchConnection = (): Problem => new Problem('not_found', 'sessions.not_found', 'Connection not found.');

const KINDS: Record<McpFailure['reason'], readonly [Problem['kind'], string]> = {
  auth_needed: ['conflict', 'sessions.auth_required'],
  not_mcp: ['upstream_failed', 'sessions.server_failed'],
  unreachable: ['upstream_failed', 'sessions.server_unreachable'],
  timed_out: ['upstream_timeout', 'sessions.server_timed_out'],
  too_large: ['upstream_failed', 'sessions.result_too_large'],
  refused: ['upstream_failed', 'sessions.server_refused'],
  broken: ['upstream_failed', 'sessions.server_failed'],
  input_required: ['unprocessable', 'sessions.input_required'],
  start_failed: ['upstream_failed', 'sessions.start_failed'],
  out_of_memory: ['upstream_failed', 'sessions.out_of_memory'],
  wants_network: ['conflict', 'sessions.wants_network'],
};

/** For a call that was made or failed to start. */
export function problemOf(failure: McpFailure): Problem {
  if (isRefusedAddress(failure)) return addressRefused(failure);
  if (isRefusedAccess(failure)) return new Problem('forbidden', 'sessions.access_refused', sentence(failure));
  const [kind, code] = KINDS[failure.reason];
  const extensions = failure.code === null ? {} : { extensions: { mcp_code: failure.code } };
  return new Problem(kind, code, sentence(failure), extensions);
}

/** For an address that cannot be connected with any credentials; null if it may work another time. */
export function refusalOf(failure: McpFailure): Problem | null {
  if (isRefusedAddress(failure)) return addressRefused(failure);
  if (failure.reason !== 'not_mcp') return null;
  return new Problem('unprocessable', 'sessions.not_mcp', `${sentence(failure)} No connection was created.`);
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

const isRefusedAddress = ({ guard }: McpFailure): boolean =>
  guard === 'outbound.blocked' || guard === 'outbound.redirect_refused';

const addressRefused = (failure: McpFailure): Problem =>
  new Problem('unprocessable', 'sessions.address_refused', sentence(failure));

export const sentence = ({ detail }: McpFailure): string => `${detail.charAt(0).toUpperCase()}${detail.slice(1)}.`;

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
  new Problem('conflict', 'sessions.too_many', `You have ${most} connections, the limit. Delete one first.`);

export const nameTaken = (name: string): Problem =>
  new Problem(
    'conflict',
    'sessions.name_taken',
    `You have a connection named ${JSON.stringify(name)}. Choose another name.`,
  );
