import { SpanKind, trace } from '@opentelemetry/api';
import { connectionsProblem } from '#connections/errors.ts';
import { withMembers } from '#connections/tools/call-ends.ts';
import { defined } from '#core/defined.ts';
import { coreProblem } from '#core/errors.ts';
import type { Input } from '#core/http/operation.ts';
import type { PackageStep } from '#core/mcp/packaged-servers.ts';
import type { McpSession } from '#core/mcp/session.ts';
import { plainName } from '#core/mcp/tool.ts';
import type { Problem } from '#core/problem/problem.ts';
import { readTraceparent, traceparentOf } from '#core/telemetry/traceparent.ts';
import { isNestedTooDeep, jsonFault, MAX_NESTING, wellFormed } from '#core/text/keepable.ts';
import { ATTR } from '#core/traces/conventions.ts';
import { attributesOfPackage } from '#core/traces/package-attributes.ts';
import { forSpan } from '#core/traces/redact.ts';
import { inSpan } from '#core/traces/tracing.ts';
import type { Connection } from './connection.ts';
import type { Owned } from './connections.ts';
import type { ConnectionsDeps } from './deps.ts';
import { problemOf } from './failures.ts';
import { withSignInLink } from './sign-in-link.ts';
import { usableConnection } from './usable-connection.ts';

/** A request for resources or prompts of a connection's server. */

/** Of a list: as for tools. */
export const LIST_ORDER = { timeout_ms: 20_000, max_bytes: 2 * 1024 * 1024 };
/** Of one resource or prompt. */
export const READ_ORDER = { timeout_ms: 60_000, max_bytes: 4 * 1024 * 1024 };
/** Items of a list; a server with more is rejected completely, as for tools. */
const MOST_ITEMS = 1_000;

interface ServerRequest {
  method: 'resources/list' | 'resources/read' | 'prompts/list' | 'prompts/get';
  /** What is requested, such as a URI. Empty for lists. */
  target: string;
  /** Stored in the trace. */
  given?: unknown;
  timeout_ms: number;
  max_bytes: number;
  signal: AbortSignal;
  /** The `traceparent` of our own span that the request belongs to. */
  within?: string | null | undefined;
  /** The client's header of this name: the request is linked to it. */
  traceparent?: Input['headers'][string];
  on_step?: ((step: PackageStep) => void) | undefined;
}

/** Who asks for what is requested. */
export type RequestFrom = Pick<ServerRequest, 'signal' | 'within' | 'traceparent' | 'on_step'>;

type Ask<T> = (session: McpSession, traceparent: string) => Promise<T>;

/**
 * Counts as a call, and is sent in a span whose id the server receives. Failures of the server are thrown as Problems that
 * name the trace. There is no receipt: the server is asked for content, and nothing is executed (decision 064).
 */
export async function tracedRequest<T>(
  deps: Pick<ConnectionsDeps, 'db' | 'calls' | 'call_records' | 'clock' | 'tracing' | 'base_url'>,
  of: Owned,
  request: ServerRequest,
  ask: Ask<T>,
) {
  const { method, target, given, timeout_ms, max_bytes, signal, on_step, within = null } = request;
  await deps.call_records.admit(of.user_id);
  const connection = await usableConnection(deps.db, of);
  const own = within === null ? null : readTraceparent(within);
  const parent = own === null ? null : trace.wrapSpanContext(own);
  const started = deps.clock.now();
  const attributes = {
    [ATTR.owner]: connection.user_id,
    [ATTR.mcp_method]: method,
    [ATTR.mcp_transport]: connection.transport,
    [ATTR.server_address]: connection.package === null ? new URL(connection.url).host : connection.url,
    ...defined({ [ATTR.tool_arguments]: given === undefined ? undefined : forSpan(JSON.stringify(given)) }),
  };
  const name = target === '' ? method : `${method} ${plainName(target)}`;
  const link = parent === null ? readTraceparent(request.traceparent) : null;
  return inSpan(
    deps.tracing.tracer,
    parent,
    name,
    attributes,
    async (span) => {
      const trace_id = span.spanContext().traceId;
      const order = {
        timeout_ms,
        max_bytes,
        signal,
        on_step,
        on_facts: (facts: Parameters<typeof attributesOfPackage>[0]) =>
          void span.setAttributes(attributesOfPackage(facts)),
      };
      try {
        const answer = await deps.calls.request(connection, order, async (session) => {
          span.setAttribute(ATTR.mcp_protocol, session.protocol_version);
          const value = await ask(session, traceparentOf(span));
          return { value, protocol_version: session.protocol_version };
        });
        if (!answer.ok) {
          span.setAttribute(ATTR.error_type, answer.failure.reason);
          throw problemOf(answer.failure);
        }
        const { value, protocol_version } = answer.value;
        return {
          connection,
          value: sound(value),
          about: {
            protocol_version,
            trace_id,
            duration_ms: deps.clock.now() - started,
            links: { trace: `/api/traces/${trace_id}` },
          },
        };
      } catch (error) {
        throw withMembers(withSignInLink(error, deps.base_url, connection.id), { trace_id });
      }
    },
    { kind: SpanKind.CLIENT, link },
  );
}

function sound<T>(value: T): T {
  if (!isNestedTooDeep(value)) return wellFormed(value);
  throw connectionsProblem('connections.server_failed', `The response is nested deeper than ${MAX_NESTING}.`, {
    reason: 'result_too_large',
  });
}

export const offersNone = ({ name }: Connection, reason: 'resource' | 'prompt'): Problem =>
  connectionsProblem('connections.not_found', `The server of ${plainName(name)} offers no ${reason}s.`, { reason });

/** Throws `connections.server_failed` (`content_unusable`) if a server lists more than can be shown. */
export function requireFewItems(count: number, noun: string): void {
  if (count <= MOST_ITEMS) return;
  throw connectionsProblem('connections.server_failed', `The server has more than ${MOST_ITEMS} ${noun}.`, {
    reason: 'content_unusable',
  });
}

/** Throws `http.invalid` (`input`) for text that cannot be sent or stored. */
export function requireText(pointer: string, given: unknown): void {
  const fault = jsonFault(given);
  if (fault === null) return;
  throw coreProblem('http.invalid', 'Invalid input. See errors.', {
    reason: 'input',
    errors: [{ pointer, detail: fault }],
  });
}
