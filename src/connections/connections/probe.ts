import type { Tool } from '@modelcontextprotocol/client';
import { LIST_LIMITS, soundTools } from '#connections/tools/tool-lists.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { McpFailure } from '#core/mcp/failure.ts';
import { withMcpSession } from '#core/mcp/session.ts';
import { Problem } from '#core/problem/problem.ts';
import type { SessionsBase } from './base.ts';
import type { Connection } from './connection.ts';
import { type ConnectionEdit, findConnectionById, saveTools, updateConnection } from './connections.ts';
import { problemOf, refusedAccess } from './failures.ts';
import { type ScrubberOf, scrubbed, scrubbedSession } from './scrub.ts';
import type { Credentials, Probe } from './seams.ts';

/** The result of contacting a connection's server. */
export interface Look {
  edit: ConnectionEdit;
  tools: Tool[] | null;
  /** Why the server could not be used, if it was contacted. */
  failure: McpFailure | null;
}

export type LookAt = (connection: Connection) => Promise<Look>;

export const lookAt =
  ({ fetch }: Pick<SessionsBase, 'fetch'>, credentials: Credentials, scrubberOf: ScrubberOf): LookAt =>
  async (connection) => {
    try {
      const carried = await credentials.open(connection);
      const target = { ...carried, transport: connection.transport };
      const secrets = scrubberOf(carried, connection.id);
      const answer = await withMcpSession(fetch, target, LIST_LIMITS, null, async (session) => {
        const mcpSession = scrubbedSession(session, secrets);
        return { ...mcpSession, tools: await mcpSession.listTools() };
      });
      if (!answer.ok) {
        const failure = refusedAccess(scrubbed(answer.failure, secrets), connection.auth);
        return { edit: failedEdit(connection, failure), tools: null, failure };
      }
      const { protocol_version, server, transport, tools } = answer.value;
      const edit = {
        status: 'ready',
        server_info: server,
        protocol_version,
        transport: transport === 'stdio' ? connection.transport : transport,
        last_error: null,
      } as const;
      return { edit, tools: soundTools(tools), failure: null };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const { code, message } = error;
      const passes = code.startsWith('sessions.tools') || code === 'sessions.oauth_refresh_failed';
      const status = passes ? 'error' : 'auth_required';
      return { edit: { status, last_error: { code, detail: message } }, tools: null, failure: null };
    }
  };

function failedEdit({ auth }: Connection, failure: McpFailure): ConnectionEdit {
  const { code, message } = problemOf(failure);
  const last_error = { code, detail: message };
  if (failure.reason !== 'auth_needed') return { status: 'error', last_error };
  // MCP authorization starts with the bearer scheme (RFC 6750).
  const oauth = /^bearer\b/i.test(failure.challenge ?? '');
  return { status: 'auth_required', last_error, auth: { ...auth, oauth } };
}

/** Contacts the server and stores the result. */
export const probing =
  ({ db, clock }: Pick<SessionsBase, 'db' | 'clock'>, look: LookAt): Probe =>
  async (connection) => {
    const { edit, tools } = await look(connection);
    const seen = await db.transaction().execute(async (trx) => {
      // Credentials stored in the meantime win.
      const now = await findConnectionById(trx, connection.id);
      if (now === undefined) return undefined;
      const auth = edit.auth === undefined ? {} : { auth: { ...now.auth, oauth: edit.auth.oauth } };
      if (tools !== null) await saveTools(trx, connection.id, tools, isoTime(clock.now()));
      return updateConnection(trx, connection.id, { ...edit, ...auth });
    });
    return seen ?? connection;
  };
