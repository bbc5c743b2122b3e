import type { Tool } from '@modelcontextprotocol/client';
import canonicalize from 'canonicalize';
import { toolsHash } from '#catalog/probes/stored-tools.ts';
import { sha256 } from '#core/crypto/sha256.ts';
import type { McpFailure } from '#core/mcp/failure.ts';
import { openQuestions } from '#core/mcp/questions.ts';
import { type McpAnswer, type McpLimits, withMcpSession } from '#core/mcp/session.ts';
import type { RemoteTarget } from '#core/mcp/target.ts';
import { plainName } from '#core/mcp/tool.ts';
import type { LeftOut, ToolListing } from '#core/mcp/tool-listing.ts';
import type { OutboundFetch } from '#core/outbound/outbound.ts';
import { traceparentOf } from '#core/telemetry/traceparent.ts';
import { isNestedTooDeep, wellFormed } from '#core/text/keepable.ts';
import { ATTR, toolsCall } from '#core/traces/conventions.ts';
import { attributesOfLeftOut } from '#core/traces/left-out-attributes.ts';

import { askedInRun } from './asked-in-run.ts';
import type { Capability, ResolveOptions, RunOrder, Unavailable } from './capability.ts';
import { checkApart } from './check-input.ts';
import { failedCall, outcomeOf, sentence } from './mcp-output.ts';
import { progressLines } from './progress-lines.ts';
import { cancelled, emptyOutcome, failed, type Outcome } from './result.ts';
import { inputSchemaOf, toolNameOf } from './tool-input.ts';

/** The class `mcp`: one call of one tool of a third-party server. Input: `{"tool": "<name>", "arguments": {…}}`. */

export interface McpDeps {
  fetch: OutboundFetch;
}

type Place = Pick<Capability, 'kind' | 'ref' | 'name' | 'version'>;

const LIST_LIMITS = { timeout_ms: 15_000, max_bytes: 8 * 1024 * 1024 };
const TOO_DEEP: Unavailable = {
  reason: 'unsupported',
  detail: "The schemas of the server's tools are nested too deep.",
};
/** Extra bytes for the handshake, in addition to the result of the tool. */
const SPARE_BYTES = 1024 * 1024;

/**
 * The server's tools are read now. With an input that names one of them, exactly that one is pinned; without, the
 * server as a whole. Returns an unavailable reason if the server cannot be reached.
 */
export async function mcpCapability(
  deps: McpDeps,
  place: Place,
  target: RemoteTarget,
  given: ResolveOptions,
  limits: McpLimits = LIST_LIMITS,
): Promise<Capability | Unavailable> {
  const listed = await listedTools(deps, target, limits);
  if (!listed.ok) return unavailableOf(listed.failure);
  if (isNestedTooDeep(listed.value.tools)) return TOO_DEEP;
  const listing = wellFormed(listed.value);
  const named = toolNameOf(given.input);
  const tool = listing.tools.find(({ name }) => name === named);
  return tool === undefined ? wholeServer(deps, place, target, listing) : oneTool(deps, place, target, tool, listing);
}

/** Each of the server's tools by its name, pinned separately. */
export async function mcpToolset(
  deps: McpDeps,
  place: Place,
  target: RemoteTarget,
): Promise<Map<string, Capability> | Unavailable> {
  const listed = await listedTools(deps, target);
  if (!listed.ok) return unavailableOf(listed.failure);
  if (isNestedTooDeep(listed.value.tools)) return TOO_DEEP;
  const listing = wellFormed(listed.value);
  return new Map(listing.tools.map((tool) => [tool.name, oneTool(deps, place, target, tool, listing)]));
}

/** Declares that questions are answered, as calls do: servers list other tools to clients that answer none. */
const listedTools = ({ fetch }: McpDeps, target: RemoteTarget, limits: McpLimits = LIST_LIMITS) =>
  withMcpSession(fetch, { ...target, questions: openQuestions() }, limits, null, ({ listTools }) => listTools());

function wholeServer(deps: McpDeps, place: Place, target: RemoteTarget, { tools, left_out }: ToolListing): Capability {
  return {
    ...place,
    digest: digestOf(target, tools),
    execution_class: 'mcp',
    server: { listing: place.ref, url: target.url },
    tools: tools.map(({ name, annotations }) => ({ name, read_only: annotations?.readOnlyHint === true })),
    input_schema: {
      type: 'object',
      required: ['tool'],
      additionalProperties: false,
      properties: { tool: { enum: tools.map(({ name }) => name) }, arguments: { type: 'object' } },
    },
    repeatable: false,
    whyUnavailable: async () => null,
    span: spanOf(place.name, target, left_out),
    run: async (order) => {
      const named = toolNameOf(order.input);
      const tool = tools.find(({ name }) => name === named);
      if (tool === undefined)
        return emptyOutcome(failed('tool_unknown', 'The input names no tool that the server has.'));
      return callTool(deps, { target, name: place.name, tool }, order);
    },
  };
}

function oneTool(
  deps: McpDeps,
  place: Place,
  target: RemoteTarget,
  tool: Tool,
  { tools, left_out }: ToolListing,
): Capability {
  return {
    ...place,
    name: `${place.name}/${plainName(tool.name)}`,
    digest: digestOf(target, [tool]),
    execution_class: 'mcp',
    server: { listing: place.ref, url: target.url },
    description: tool.description ?? '',
    input_schema: inputSchemaOf(tool),
    // Without this hint, a second call may have another effect than the first one.
    repeatable: tool.annotations?.idempotentHint === true || tool.annotations?.readOnlyHint === true,
    toolsHash: () => toolsHash(tools),
    whyUnavailable: async () => null,
    span: spanOf(tool.name, target, left_out),
    run: (order) => callTool(deps, { target, name: place.name, tool }, order),
  };
}

/** Digest of the address and of everything that affects calls of each tool, including its hints about retries. */
const digestOf = ({ url }: RemoteTarget, tools: Tool[]): string =>
  `sha256:${sha256(canonicalize({ url, tools: tools.map(pinnedOf) }) as string)}`;

function pinnedOf({ name, description = '', inputSchema, annotations = {} }: Tool) {
  const hints = HINTS.flatMap((hint) => (annotations[hint] === undefined ? [] : [[hint, annotations[hint]]]));
  const given = hints.length === 0 ? {} : { hints: Object.fromEntries(hints) };
  return { name, description, input_schema: inputSchema, ...given };
}

const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;

const spanOf = (tool: string, { url, transport }: RemoteTarget, left_out: LeftOut): Capability['span'] => ({
  name: toolsCall(plainName(tool)),
  attributes: {
    [ATTR.operation]: 'execute_tool',
    [ATTR.tool_name]: tool,
    [ATTR.tool_type]: 'extension',
    [ATTR.mcp_method]: 'tools/call',
    [ATTR.mcp_transport]: transport,
    [ATTR.server_address]: new URL(url).host,
    ...attributesOfLeftOut(left_out),
  },
});

interface Called {
  target: RemoteTarget;
  /** Of the server, for people. */
  name: string;
  tool: Tool;
}

async function callTool({ fetch }: McpDeps, { target, name, tool }: Called, order: RunOrder): Promise<Outcome> {
  const { input, caller, limits, span, signal } = order;
  const checked = await checkApart(inputSchemaOf(tool), input, caller.share);
  if ('unusable' in checked || checked.errors.length > 0)
    return emptyOutcome(failed('input_unfit', `The input does not match the schema of ${tool.name}.`));
  const { arguments: args = {} } = input as { arguments?: Record<string, unknown> };
  const { on_question, noted } = askedInRun(order, name);
  const on_progress = progressLines(order);
  const call = { tool, arguments: args, traceparent: traceparentOf(span), on_question, on_progress };
  const budget = { timeout_ms: limits.timeout_ms, max_bytes: 2 * limits.output_bytes + SPARE_BYTES };
  let answer: McpAnswer<Outcome>;
  try {
    const asking = { ...target, questions: openQuestions() };
    answer = await withMcpSession(fetch, asking, budget, signal, async ({ callTool, protocol_version }) => {
      span.setAttribute(ATTR.mcp_protocol, protocol_version);
      return outcomeOf({ result: await callTool(call), protocol_version, output_bytes: limits.output_bytes });
    });
  } catch (error) {
    if (!signal.aborted) throw error;
    return noted(emptyOutcome(cancelled('The run was cancelled and its call ended.')));
  }
  if (!answer.ok) return noted(failedCall(answer.failure));
  if (answer.value.stdout !== '') order.on_output?.('stdout', Buffer.from(answer.value.stdout));
  return noted(answer.value);
}

/** Interprets a failure before anything was called. */
function unavailableOf(failure: McpFailure): Unavailable {
  const reason = ({ auth_needed: 'auth_needed', not_mcp: 'not_mcp', too_large: 'unsupported' } as const)[
    failure.reason as 'auth_needed'
  ];
  return { reason: reason ?? 'unreachable', detail: sentence(failure) };
}
