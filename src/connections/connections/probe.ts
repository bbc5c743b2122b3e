import { LIST_LIMITS, soundTools } from '#connections/tools/tool-lists.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { McpFailure } from '#core/mcp/failure.ts';
import type { PackagedFacts } from '#core/mcp/packaged-servers.ts';
import { type McpSession, type McpWork, withMcpSession } from '#core/mcp/session.ts';
import type { ToolListing } from '#core/mcp/tool-listing.ts';
import { briefOf, isProblem, Problem } from '#core/problem/problem.ts';
import type { ConnectionsBase } from './base.ts';
import type { Connection, PackageSeen } from './connection.ts';
import { type ConnectionEdit, findConnectionById, saveTools, updateConnection } from './connections.ts';
import { problemOf, refusedAccess } from './failures.ts';
import { seenPackage } from './package-seen.ts';
import { type ScrubberOf, scrubbed, scrubbedSession } from './scrub.ts';
import type { Credentials, LookOptions, Probe } from './seams.ts';
import type { Upstreams } from './upstreams.ts';

/** The result of contacting a connection's server. */
export interface Look {
  edit: ConnectionEdit;
  listing: ToolListing | null;
  /** Why the server could not be used, if it was contacted. */
  failure: McpFailure | null;
  /** Why its package can never be started. */
  refusal: Problem | null;
}

/** A package may have to be prepared for it, which takes up to minutes: an abort ends that, and throws the signal's reason. */
export type LookAt = (connection: Connection, options?: LookOptions) => Promise<Look>;

interface LookDeps extends Pick<ConnectionsBase, 'fetch'> {
  credentials: Credentials;
  scrubberOf: ScrubberOf;
  upstreams: Upstreams;
}

export const lookAt =
  ({ fetch, credentials, scrubberOf, upstreams }: LookDeps): LookAt =>
  async (connection, { signal = null, on_step } = {}) => {
    let seen: PackageSeen | null = connection.package_seen;
    try {
      const carried = await credentials.open(connection);
      const secrets = scrubberOf(carried, connection.id);
      const listed: McpWork<McpSession & { listing: ToolListing }> = async (session) => {
        const mcpSession = scrubbedSession(session, secrets);
        return { ...mcpSession, listing: await mcpSession.listTools() };
      };
      const { id, user_id, transport } = connection;
      const on_facts = (facts: PackagedFacts) => {
        seen = seenPackage(seen, facts) ?? seen;
      };
      const answer =
        transport === 'stdio'
          ? await upstreams.through({ ...carried, id, user_id, transport }, LIST_LIMITS, signal, listed, {
              on_step,
              on_facts,
            })
          : await withMcpSession(fetch, { ...carried, transport }, LIST_LIMITS, null, listed);
      if (!answer.ok) {
        const failure = refusedAccess(scrubbed(answer.failure, secrets), connection.auth);
        return {
          edit: { ...failedEdit(connection, failure), package_seen: seen },
          listing: null,
          failure,
          refusal: null,
        };
      }
      const { protocol_version, server, listing } = answer.value;
      const edit = {
        status: 'ready',
        server_info: server,
        protocol_version,
        transport: answer.value.transport,
        last_error: null,
        package_seen: seen,
      } as const;
      return { edit, listing: soundTools(listing), failure: null, refusal: null };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const status = needsCredentials(error) ? 'auth_required' : 'error';
      const edit = { status, last_error: briefOf(error), package_seen: seen } as const;
      return { edit, listing: null, failure: null, refusal: isFinal(error) ? error : null };
    }
  };

/** Other credentials would change it. */
const needsCredentials = (problem: Problem): boolean =>
  !isOfPackage(problem) &&
  !isProblem(problem, 'connections.server_failed', 'tools_unusable') &&
  !isProblem(problem, 'connections.oauth_failed', 'refresh') &&
  !isProblem(problem, 'runs.unavailable');

/** `http.invalid` is about the name or the version of a package. */
const isOfPackage = ({ code }: Problem): boolean =>
  code === 'http.invalid' || (code.startsWith('packages.') && code !== 'packages.input_required');

/** A package that cannot be prepared, whenever that is tried. */
const isFinal = (problem: Problem): boolean =>
  (isOfPackage(problem) || problem.code === 'packages.input_required') &&
  !['unavailable', 'upstream_failed', 'upstream_timeout', 'conflict'].includes(problem.kind);

function failedEdit({ auth }: Connection, failure: McpFailure): ConnectionEdit {
  const last_error = briefOf(problemOf(failure));
  if (failure.reason !== 'auth_needed') return { status: 'error', last_error };
  // MCP authorization starts with the bearer scheme (RFC 6750).
  const oauth = /^bearer\b/i.test(failure.challenge ?? '');
  return { status: 'auth_required', last_error, auth: { ...auth, oauth } };
}

/** Contacts the server and stores the result. */
export const probing =
  ({ db, clock }: Pick<ConnectionsBase, 'db' | 'clock'>, look: LookAt): Probe =>
  async (connection, options) => {
    const { edit, listing } = await look(connection, options);
    const seen = await db.transaction().execute(async (trx) => {
      // Credentials stored in the meantime win.
      const now = await findConnectionById(trx, connection.id);
      if (now === undefined) return undefined;
      const auth = edit.auth === undefined ? {} : { auth: { ...now.auth, oauth: edit.auth.oauth } };
      if (listing !== null) await saveTools(trx, connection.id, listing, isoTime(clock.now()));
      return updateConnection(trx, connection.id, { ...edit, ...auth });
    });
    return seen ?? connection;
  };
