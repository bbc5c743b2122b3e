import type { Connection } from '#connections/connections/connection.ts';
import type { BegunCall, EndedCall } from '#core/call-records/call-record.ts';
import type { KnownTool } from '#core/mcp/tool.ts';
import { Problem } from '#core/problem/problem.ts';

/** What is recorded of a call through a connection. Pure. */

interface BegunOptions {
  /** The accepted tool, or its name if it is not known. */
  known: Pick<KnownTool, 'definition' | 'hash'> | string;
  args: Record<string, unknown>;
  trace_id: string | null;
}

export function begunCall(connection: Connection, { known, args, trace_id }: BegunOptions): BegunCall {
  const { user_id, provider_id, external_id, url } = connection;
  const name = provider_id === null ? null : `${provider_id}/${external_id}`;
  return {
    user_id,
    server: name === null ? serverOf(connection) : `listing/${name}`,
    listing: name === null ? null : { name, address: url },
    tool: typeof known === 'string' ? known : known.definition.name,
    definition_sha256: typeof known === 'string' ? null : known.hash.slice('sha256:'.length),
    arguments: args,
    trace_id,
  };
}

/** Without path and query, which may be secret. Receipts are public to everyone who has their id. */
function serverOf({ package: launch, url }: Connection): string {
  if (launch !== null) return url;
  return URL.canParse(url) ? new URL(url).origin : 'unknown';
}

type End = Omit<EndedCall, 'facts'>;

export const endOfResult = (result: { content: unknown; structured_content: unknown; is_error: boolean }): End =>
  result.is_error ? { status: 'failed', reason: 'tool_error', result } : { status: 'completed', reason: null, result };

/** `isCalled`: the call reached the server, or the server failed before. Anything else was refused here. */
export function endOfError(error: unknown, signal: AbortSignal, isCalled: boolean): End {
  if (error instanceof Problem)
    return {
      status: isCalled ? 'failed' : 'refused',
      reason: error.reason ?? error.code.slice(error.code.indexOf('.') + 1),
      result: null,
    };
  return signal.aborted
    ? { status: 'cancelled', reason: 'cancelled', result: null }
    : { status: 'failed', reason: 'internal', result: null };
}

/** Tells the caller of a failure where its trace and receipt are. */
export function withMembers(error: unknown, members: Record<string, unknown>): unknown {
  if (!(error instanceof Problem)) return error;
  const { kind, code, message, headers, errors, extensions } = error;
  const more = errors === undefined ? {} : { errors };
  return new Problem(kind, code, message, {
    cause: error,
    headers,
    extensions: { ...extensions, ...members },
    ...more,
  });
}

export const receiptPath = (receipt_id: string): string => `/api/receipts/${receipt_id}`;
