import canonicalize from 'canonicalize';
import { signInLink } from '#connections/connections/sign-in-link.ts';
import type { Called, ReadyTool, ToolCalls } from '#connections/tools/tool-calls.ts';
import { sha256 } from '#core/crypto/sha256.ts';
import { defined } from '#core/defined.ts';
import type { McpFailure } from '#core/mcp/failure.ts';
import type { PackagedFacts } from '#core/mcp/packaged-servers.ts';
import type { McpAnswer } from '#core/mcp/session.ts';
import { plainName } from '#core/mcp/tool.ts';
import { isProblem, Problem } from '#core/problem/problem.ts';
import { traceparentOf } from '#core/telemetry/traceparent.ts';
import { ATTR, toolsCall } from '#core/traces/conventions.ts';
import { attributesOfPackage } from '#core/traces/package-attributes.ts';
import { runtimeProblem } from '#runtime/errors.ts';

import { askedInRun } from './asked-in-run.ts';
import type { Capability, ResolveKind, RunOrder } from './capability.ts';
import { capabilityUnknown, reasonOf, takenDown } from './errors.ts';
import { failedCall, outcomeOf } from './mcp-output.ts';
import { packageEnvironment } from './package-environment.ts';
import { progressLines } from './progress-lines.ts';
import { cancelled, emptyOutcome, failed, type Outcome } from './result.ts';

/** Extra bytes for the envelope of a response. */
const SPARE_BYTES = 1024 * 1024;

/**
 * `connection`: `connection id/tool`, of the caller's own. Its input is the tool's arguments. What is pinned is the
 * tool as its owner accepted it: `connections.tool_conflict` (`tool_changed`), `connections.tool_conflict` (`tool_added`) and `connections.authorization_required` (`auth_required`) are thrown as they are.
 */
export const resolveConnection =
  (calls: ToolCalls, base_url: string): ResolveKind =>
  async ({ ref }, { user_id }) => {
    const slash = ref.indexOf('/');
    const [id, name] = [ref.slice(0, slash), ref.slice(slash + 1)];
    if (slash < 1 || name === '')
      throw runtimeProblem('runs.reference_invalid', 'A tool of a connection is named as connection id/tool.', {
        reason: 'reference_malformed',
      });
    if (user_id === null) throw capabilityUnknown('Sign in to use a connection.');
    try {
      return connectionCapability({ calls, base_url }, ref, await calls.ready({ user_id, id }, name));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (isProblem(error, 'registry.gone', 'listing_taken_down')) throw takenDown(error);
      throw error.kind === 'not_found' ? capabilityUnknown(error.message) : error;
    }
  };

interface CallDeps {
  calls: ToolCalls;
  base_url: string;
}

function connectionCapability(deps: CallDeps, ref: string, ready: ReadyTool): Capability {
  const { connection, definition, hash } = ready;
  const { idempotentHint, readOnlyHint } = definition.annotations;
  const tool = plainName(definition.name);
  return {
    kind: 'connection',
    ref,
    name: `${connection.name}/${tool}`,
    version: hash.slice('sha256:'.length).slice(0, 12),
    digest: `sha256:${sha256(canonicalize({ url: connection.url, tool: hash }) as string)}`,
    execution_class: 'mcp',
    origin: connection.package === null ? new URL(connection.url).origin : connection.url,
    ...defined({
      server:
        connection.provider_id === null
          ? undefined
          : { listing: `${connection.provider_id}/${connection.external_id}`, url: connection.url },
    }),
    description: definition.description,
    input_schema: { $id: 'urn:capstan:tool-arguments', ...definition.input_schema },
    // Without this hint, a second call may have another effect than the first one.
    repeatable: idempotentHint === true || readOnlyHint === true,
    whyUnavailable: async () => null,
    span: {
      name: toolsCall(tool),
      attributes: {
        [ATTR.operation]: 'execute_tool',
        [ATTR.tool_name]: tool,
        [ATTR.tool_type]: 'extension',
        [ATTR.mcp_method]: 'tools/call',
        [ATTR.mcp_transport]: connection.transport,
        [ATTR.server_address]: connection.package === null ? new URL(connection.url).host : connection.url,
      },
    },
    run: (order) => callTool(deps, ready, order),
  };
}

async function callTool({ calls, base_url }: CallDeps, ready: ReadyTool, order: RunOrder): Promise<Outcome> {
  const { input, caller, limits, span, signal } = order;
  const { on_question, noted } = askedInRun(order, ready.connection.name);
  let ran: PackagedFacts | null = null;
  const inBox = (outcome: Outcome): Outcome =>
    ran === null ? outcome : { ...outcome, environment: { ...outcome.environment, ...packageEnvironment(ran) } };
  try {
    const args = (input ?? {}) as Record<string, unknown>;
    await calls.check(ready, args, { share: caller.share, signal });
    const budget = { timeout_ms: limits.timeout_ms, max_bytes: 2 * limits.output_bytes + SPARE_BYTES };
    const on_facts = (facts: PackagedFacts) => {
      ran = facts;
      span.setAttributes(attributesOfPackage(facts));
    };
    const asked = {
      arguments: args,
      ...budget,
      traceparent: traceparentOf(span),
      signal,
      on_facts,
      on_step: order.on_step,
      on_question,
      on_progress: progressLines(order),
    };
    const answer = await calls.call(ready, asked);
    const shown = answer.ok ? answer : { ok: false as const, failure: withPage(answer.failure, ready, base_url) };
    return noted(inBox(answered(shown, order)));
  } catch (error) {
    if (signal.aborted) return emptyOutcome(cancelled('The run was cancelled and its call ended.'));
    if (!(error instanceof Problem)) throw error;
    return noted(inBox(emptyOutcome(failed(reasonOf(error), error.message), { network: 'guarded' })));
  }
}

/** The owner repairs the connection at a page, whichever way the run was started. */
const withPage = (failure: McpFailure, { connection }: ReadyTool, baseUrl: string): McpFailure =>
  failure.reason === 'auth_needed'
    ? { ...failure, detail: `${failure.detail}; sign in again at ${signInLink(baseUrl, connection.id)}` }
    : failure;

function answered(answer: McpAnswer<Called>, { limits, span, on_output }: RunOrder): Outcome {
  if (!answer.ok) return failedCall(answer.failure);
  const { result, protocol_version } = answer.value;
  span.setAttribute(ATTR.mcp_protocol, protocol_version);
  const outcome = outcomeOf({ result, protocol_version, output_bytes: limits.output_bytes });
  if (outcome.stdout !== '') on_output?.('stdout', Buffer.from(outcome.stdout));
  return outcome;
}
