import type { Tool } from '@modelcontextprotocol/client';
import canonicalize from 'canonicalize';
import { LRUCache } from 'lru-cache';
import { sha256 } from '#core/crypto/sha256.ts';
import { defined } from '#core/defined.ts';
import type { Share } from '#core/fair-queue/share.ts';
import type { PackagedServers } from '#core/mcp/packaged-servers.ts';
import type { AskPerson } from '#core/mcp/questions.ts';
import type { McpSession } from '#core/mcp/session.ts';
import type { PackageTarget } from '#core/mcp/target.ts';
import { plainName } from '#core/mcp/tool.ts';
import { boundErrors, describeErrors } from '#core/problem/field-errors.ts';
import { Problem } from '#core/problem/problem.ts';
import { traceparentOf } from '#core/telemetry/traceparent.ts';
import { isNestedTooDeep, wellFormed } from '#core/text/keepable.ts';
import { ATTR, toolsCall } from '#core/traces/conventions.ts';
import { attributesOfLeftOut } from '#core/traces/left-out-attributes.ts';
import { attributesOfPackage } from '#core/traces/package-attributes.ts';

import { askedInRun } from './asked-in-run.ts';
import type { Capability, ResolveOptions, RunOrder, Unavailable } from './capability.ts';
import { checkApart } from './check-input.ts';
import { failedCall, outcomeOf, sentence, shownTools } from './mcp-output.ts';
import { packageEnvironment } from './package-environment.ts';
import { progressLines } from './progress-lines.ts';
import { cancelled, emptyOutcome, failed, type Outcome, rejected } from './result.ts';
import { inputSchemaOf, toolNameOf } from './tool-input.ts';

/**
 * The class `mcp` for a server that is started from its package, in a box per run. The package is prepared by the run and not
 * when it is resolved, so that the run can show its steps and be cancelled. The package and the name of the tool
 * are pinned: the exact version and its lock determine what the tool does.
 */

export interface PackagedDeps {
  packaged: PackagedServers;
}

type Place = Pick<Capability, 'kind' | 'ref' | 'name' | 'version'>;

const LIST_LIMITS = { timeout_ms: 15_000, max_bytes: 8 * 1024 * 1024 };
/** For the handshake and the list of tools, in addition to the result. */
const SPARE_BYTES = 8 * 1024 * 1024;
const TOO_DEEP = "The schemas of the server's tools are nested too deep.";

/** The package of one run, with the values that its caller gave. */
interface RunPackage {
  target: PackageTarget;
  /** The same without these values, which decides the digest. */
  base: PackageTarget;
  /** What its caller has to answer first; null for nothing. */
  unavailable: Unavailable | null;
}

/** Without a tool in the input, a run lists the tools. */
export async function packagedCapability(
  deps: PackagedDeps,
  place: Place,
  { target, base: without, unavailable }: RunPackage,
  given: ResolveOptions,
): Promise<Capability | Unavailable> {
  const exact = await pin(deps, target);
  if ('reason' in exact) return exact;
  const pinned = { ...exact, base: { ...without, package: exact.target.package }, unavailable };
  const named = toolNameOf(given.input);
  const known = toolsBefore(deps, pinned.target);
  const tool = known?.find(({ name }) => name === named);
  return tool === undefined ? unseen(deps, place, pinned, { named, known }) : seen(deps, place, pinned, tool);
}

/** Every tool by its name. The server is started once to list them, unless that was done before. */
export async function packagedToolset(
  deps: PackagedDeps,
  place: Place,
  target: PackageTarget,
  share: Share,
): Promise<Map<string, Capability> | Unavailable> {
  const pinned = await pin(deps, target);
  if ('reason' in pinned) return pinned;
  try {
    const tools = toolsBefore(deps, pinned.target) ?? (await listTools(deps, pinned.target, share));
    return 'reason' in tools ? tools : new Map(tools.map((tool) => [tool.name, seen(deps, place, pinned, tool)]));
  } catch (error) {
    if (error instanceof Problem) return unavailableOf(error);
    throw error;
  }
}

interface Pinned {
  target: PackageTarget;
  purl: string;
  /** What the digest is of, where that is not the target. */
  base?: PackageTarget;
  unavailable?: Unavailable | null;
}

async function pin({ packaged }: PackagedDeps, target: PackageTarget): Promise<Pinned | Unavailable> {
  try {
    const { source, purl } = await packaged.pin(target.package, AbortSignal.timeout(LIST_LIMITS.timeout_ms));
    return { target: { ...target, package: source }, purl };
  } catch (error) {
    if (error instanceof Problem) return unavailableOf(error);
    if ((error as Error).name === 'TimeoutError')
      return { reason: 'unreachable', detail: 'The registry of the package did not respond.' };
    throw error;
  }
}

const unavailableOf = ({ kind, message }: Problem): Unavailable => ({
  reason: ['upstream_failed', 'upstream_timeout', 'unavailable'].includes(kind) ? 'unreachable' : 'unsupported',
  detail: message,
});

async function listTools(deps: PackagedDeps, target: PackageTarget, share: Share): Promise<Tool[] | Unavailable> {
  const order = { target, kept: null, share, limits: LIST_LIMITS, signal: null };
  const { answer } = await deps.packaged.through(order, (session) => session.listTools());
  if (!answer.ok) return { reason: 'unreachable', detail: sentence(answer.failure) };
  const tools = soundTools(deps, target, answer.value.tools);
  return tools ?? { reason: 'unsupported', detail: TOO_DEEP };
}

/** A tool whose definition is known. */
function seen(deps: PackagedDeps, place: Place, pinned: Pinned, tool: Tool): Capability {
  return {
    ...base(place, pinned, tool.name),
    name: `${place.name}/${plainName(tool.name)}`,
    description: tool.description ?? '',
    input_schema: inputSchemaOf(tool),
    // No other statement promises that a second call does the same as the first.
    repeatable: tool.annotations?.idempotentHint === true || tool.annotations?.readOnlyHint === true,
    run: (order) => run(deps, pinned, place.name, order),
  };
}

interface Known {
  named: string | null;
  /** Null if the server was never started here. */
  known: Tool[] | null;
}

/** The whole server, or a tool of one that was never started here: its arguments are checked in the run. */
function unseen(deps: PackagedDeps, place: Place, pinned: Pinned, { named, known }: Known): Capability {
  const tool = known === null ? { type: 'string', maxLength: 1_000 } : { enum: known.map(({ name }) => name) };
  return {
    ...base(place, pinned, named),
    ...defined({
      tools:
        known === null
          ? undefined
          : known.map(({ name, annotations }) => ({ name, read_only: annotations?.readOnlyHint === true })),
    }),
    description: 'Without `tool`, lists the tools of the server.',
    tool_optional: true,
    input_schema: {
      type: 'object',
      additionalProperties: false,
      properties: { tool, arguments: { type: 'object' } },
    },
    repeatable: named === null,
    run: (order) => run(deps, pinned, place.name, order),
  };
}

const base = (
  place: Place,
  { target, base: without = target, purl, unavailable = null }: Pinned,
  tool: string | null,
) => ({
  ...place,
  digest: digestOf(without, tool),
  execution_class: 'mcp' as const,
  server: { listing: place.ref, url: purl },
  whyUnavailable: async () => unavailable,
  span: {
    name: tool === null ? toolsCall(place.name) : toolsCall(plainName(tool)),
    attributes: {
      [ATTR.operation]: 'execute_tool',
      [ATTR.tool_name]: tool ?? place.name,
      [ATTR.tool_type]: 'extension',
      [ATTR.mcp_method]: tool === null ? 'tools/list' : 'tools/call',
      [ATTR.mcp_transport]: 'stdio',
      [ATTR.server_address]: purl,
    },
  },
});

const digestOf = (target: PackageTarget, tool: string | null): string =>
  `sha256:${sha256(canonicalize({ ...launched(target), tool }) as string)}`;

const launched = ({ package: source, arguments: args, env, endpoint }: PackageTarget) => ({
  package: source,
  arguments: args,
  env,
  endpoint,
});

/** Tool lists of packages that were started in this process. Their exact version decides them. */
const memories = new WeakMap<PackagedServers, LRUCache<string, Tool[]>>();
const MOST_CHARS = 32 * 1024 * 1024;

function memoryOf({ packaged }: PackagedDeps): LRUCache<string, Tool[]> {
  const known = memories.get(packaged);
  if (known !== undefined) return known;
  const memory = new LRUCache<string, Tool[]>({
    maxSize: MOST_CHARS,
    sizeCalculation: (tools) => 1 + JSON.stringify(tools).length,
  });
  memories.set(packaged, memory);
  return memory;
}

const toolsBefore = (deps: PackagedDeps, target: PackageTarget): Tool[] | null =>
  memoryOf(deps).get(digestOf(target, null)) ?? null;

/** Null for schemas that are nested too deep. */
function soundTools(deps: PackagedDeps, target: PackageTarget, listed: Tool[]): Tool[] | null {
  if (isNestedTooDeep(listed)) return null;
  const tools = wellFormed(listed);
  memoryOf(deps).set(digestOf(target, null), tools);
  return tools;
}

async function run(deps: PackagedDeps, { target }: Pinned, name: string, order: RunOrder): Promise<Outcome> {
  const { limits, signal, span, on_step, box_group } = order;
  const budget = { timeout_ms: limits.timeout_ms, max_bytes: 2 * limits.output_bytes + SPARE_BYTES };
  const kept =
    box_group === undefined ? null : { id: box_group, version: digestOf(target, null), on_tools_changed: () => {} };
  const through = { target, kept, share: order.caller.share, limits: budget, signal, on_step };
  const { on_question, noted } = askedInRun(order, name);
  const act = (session: McpSession) => work(deps, target, session, { ...order, ask: on_question });
  try {
    const { answer, facts } = await deps.packaged.through(through, act);
    span.setAttributes(attributesOfPackage(facts));
    const outcome = answer.ok ? answer.value : failedCall(answer.failure);
    if (outcome.stdout !== '') order.on_output?.('stdout', Buffer.from(outcome.stdout));
    return noted({ ...outcome, environment: { ...outcome.environment, ...packageEnvironment(facts) } });
  } catch (error) {
    if (signal.aborted) return emptyOutcome(cancelled('The run was cancelled and its server ended.'));
    if (!(error instanceof Problem)) throw error;
    if (error.code === 'packages.input_required')
      return emptyOutcome(rejected('missing_env', `${error.message} ${GIVE}`));
    return emptyOutcome(rejected(error.code.slice(error.code.indexOf('.') + 1), error.message));
  }
}

const GIVE = 'Values that are not secret can also be given to one run, as its environment.';

const MOST_NAMED = 10;

function hasText(tools: readonly Pick<Tool, 'name'>[]): string {
  if (tools.length === 0) return 'It has no tools.';
  const names = tools.slice(0, MOST_NAMED).map(({ name }) => plainName(name));
  const more = tools.length > MOST_NAMED ? ` and ${tools.length - MOST_NAMED} more` : '';
  return `It has: ${names.join(', ')}${more}.`;
}

function unfitText(name: string, checked: Awaited<ReturnType<typeof checkApart>>): string {
  const unfit = `The input does not match the schema of ${plainName(name)}`;
  if ('unusable' in checked) return `${unfit}.`;
  return `${unfit}: ${describeErrors(boundErrors(checked.errors), 'the input')}.`;
}

type Asking = RunOrder & { ask: AskPerson };

async function work(deps: PackagedDeps, target: PackageTarget, session: McpSession, order: Asking): Promise<Outcome> {
  const { input, caller, limits, span, ask: on_question } = order;
  const { protocol_version } = session;
  span.setAttribute(ATTR.mcp_protocol, protocol_version);
  const { tools: listed, left_out } = await session.listTools();
  span.setAttributes(attributesOfLeftOut(left_out));
  const tools = soundTools(deps, target, listed);
  if (tools === null) return emptyOutcome(failed('output_exceeded', TOO_DEEP));
  const named = toolNameOf(input);
  const answered = (result: Parameters<typeof outcomeOf>[0]['result']): Outcome =>
    outcomeOf({ result, protocol_version, output_bytes: limits.output_bytes });
  if (named === null) return answered(shownTools({ tools, left_out }));
  const tool = tools.find(({ name }) => name === named);
  if (tool === undefined)
    return emptyOutcome(
      failed('tool_unknown', `The server has no tool ${JSON.stringify(plainName(named))}. ${hasText(tools)}`),
    );
  const checked = await checkApart(inputSchemaOf(tool), input, caller.share);
  if ('unusable' in checked || checked.errors.length > 0)
    return emptyOutcome(failed('input_unfit', unfitText(named, checked)));
  const { arguments: args = {} } = input as { arguments?: Record<string, unknown> };
  const traceparent = traceparentOf(span);
  const on_progress = progressLines(order);
  return answered(await session.callTool({ tool, arguments: args, traceparent, on_question, on_progress }));
}
