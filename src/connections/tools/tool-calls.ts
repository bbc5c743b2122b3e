import type { CallToolResult } from '@modelcontextprotocol/client';
import type { ConnectionsBase } from '#connections/connections/base.ts';
import type { Connection } from '#connections/connections/connection.ts';
import { isPinned, type Owned } from '#connections/connections/connections.ts';
import type { UseServer } from '#connections/connections/servers.ts';
import { usableConnection } from '#connections/connections/usable-connection.ts';
import { connectionsProblem } from '#connections/errors.ts';
import { isoTime } from '#core/clock/clock.ts';
import { coreProblem } from '#core/errors.ts';
import type { Share } from '#core/fair-queue/share.ts';
import { checkApart, refusedCheck } from '#core/json-schema/check-apart.ts';
import type { PackagedFacts, PackageStep } from '#core/mcp/packaged-servers.ts';
import type { AskPerson } from '#core/mcp/questions.ts';
import type { McpAnswer, McpProgress, McpWork } from '#core/mcp/session.ts';
import { differencesOf, type KnownTool, plainName, textOf } from '#core/mcp/tool.ts';
import type { LeftOut, ToolListing } from '#core/mcp/tool-listing.ts';
import type { Problem } from '#core/problem/problem.ts';
import { closeNames } from '#core/text/close-names.ts';
import { isNestedTooDeep, jsonFault, MAX_NESTING, wellFormed } from '#core/text/keepable.ts';
import { openKeyedSemaphore } from '#core/threads/keyed-semaphore.ts';
import { ALONE } from '#core/threads/threads.ts';
import { countPins, findPin, findPinnedHash, type Pin, pinTools } from './pinned-tools.ts';
import type { ReadyOptions } from './ready-options.ts';
import type { ToolLists } from './tool-lists.ts';
import { verifiedTools } from './verified-tools.ts';

/** Calls of accepted tools, for this wing's operations and for running capabilities. */
export interface ToolCalls {
  /**
   * Prepares a tool of the caller's connection; the first use pins all tools. Throws `connections.not_found` (`connection`),
   * `.tool_not_found`, `.tool_added`, `.tool_changed`, `registry.gone` (`listing_taken_down`), and what listing the tools
   * throws.
   */
  ready(of: Owned, tool: string, options?: ReadyOptions): Promise<ReadyTool>;
  /** Throws `connections.arguments_invalid`, `.schema_unusable`, `.check_busy` or `http.limit_exceeded` (`checks`). */
  check(tool: ReadyTool, args: Record<string, unknown>, on: Checking): Promise<void>;
  /**
   * Failures of the server are returned; an abort throws the signal's reason. Throws `connections.not_found` (`tool`) or
   * `.tool_changed` without calling the tool if the server now has another one.
   */
  call(tool: ReadyTool, order: CallOrder): Promise<McpAnswer<Called>>;
  /**
   * Other requests to the server, within the same limit on concurrent calls. Throws `http.limit_exceeded`
   * (`concurrency`) or `registry.gone` (`listing_taken_down`).
   */
  request<T>(connection: Connection, order: RequestOrder, work: McpWork<T>): Promise<McpAnswer<T>>;
}

interface RequestOrder extends Pick<CallOrder, 'timeout_ms' | 'max_bytes' | 'signal' | 'on_step' | 'on_facts'> {}

/** Share and signal of a check. */
interface Checking {
  share: Share;
  signal: AbortSignal;
}

export interface ReadyTool extends KnownTool {
  connection: Connection;
}

interface CallOrder {
  arguments: Record<string, unknown>;
  timeout_ms: number;
  /** Of all responses of the server. */
  max_bytes: number;
  traceparent: string;
  signal: AbortSignal;
  /** Awaited before the tool is called; its failure is thrown. */
  before?: Promise<void> | undefined;
  /** Called right before the tool is. */
  on_call?: (() => void) | undefined;
  on_progress?: ((progress: McpProgress) => void) | undefined;
  /** Asks a person for the server; without it, its questions are declined. */
  on_question?: AskPerson | undefined;
  on_step?: ((step: PackageStep) => void) | undefined;
  /** Of a server that is started from a package: what ran, and what it reached. */
  on_facts?: ((facts: PackagedFacts) => void) | undefined;
}

export interface Called {
  result: CallToolResult;
  protocol_version: string;
  /** Of the tool list that the pin was verified with. */
  left_out: LeftOut;
}

interface ToolCallsDeps extends Pick<ConnectionsBase, 'db' | 'reads' | 'clock' | 'threads'> {
  tool_lists: ToolLists;
  use: UseServer;
  /** How long a verified list holds where its server can announce changes. */
  list_holds_ms: number;
}

/** Concurrent calls of one user in one process, so that a hanging server occupies no more. */
const MOST_AT_ONCE = 64;

/** A takedown reaches every call within two seconds; an immediately following call reuses the last check. */
const LOOK_HOLDS_MS = 1_000;

export function toolCalls(deps: ToolCallsDeps): ToolCalls {
  const verified = verifiedTools(deps.list_holds_ms);
  const atWork = openKeyedSemaphore(deps.threads ?? ALONE, 'connections.calls', MOST_AT_ONCE);
  const inPlace = async <T>(userId: string, act: () => Promise<T>): Promise<T> => {
    if (!(await atWork.take(userId))) throw tooManyCalls();
    try {
      return await act();
    } finally {
      atWork.giveBack(userId);
    }
  };
  /** When a tool was prepared, until its first call. */
  const lookedAtMs = new WeakMap<ReadyTool, number>();
  const ready: ToolCalls['ready'] = async (of, name, options = {}) => {
    const beganMs = performance.now();
    const tool = await readyTool(deps, of, name, options);
    lookedAtMs.set(tool, beganMs);
    return tool;
  };
  const call: ToolCalls['call'] = async (ready_tool, order) => {
    const { connection, tool } = ready_tool;
    const is_looked_at = performance.now() - (lookedAtMs.get(ready_tool) ?? -Infinity) < LOOK_HOLDS_MS;
    lookedAtMs.delete(ready_tool);
    const { arguments: args, timeout_ms, max_bytes, traceparent, signal, on_step, on_facts } = order;
    const { before, on_call, on_progress, on_question } = order;
    const { user_id } = connection;
    return inPlace(user_id, async () => {
      const limits = { timeout_ms, max_bytes };
      // Verifies the pin at the call: by the list that the same session has just read, or whose changes it would have heard of.
      let unstored: unknown;
      const work: McpWork<Called | ToolListing | null> = async (session) => {
        const { callTool, protocol_version } = session;
        let known = verified.recall(session, tool.name);
        if (known?.hash !== ready_tool.hash) {
          const read = await verified.read(session, tool.name);
          if (read.hash !== ready_tool.hash) return read.listed;
          known = read;
        }
        const { left_out } = known;
        try {
          await before;
        } catch (error) {
          // Thrown here, it would count as a failure of the session.
          unstored = error;
          return null;
        }
        on_call?.();
        const result = await callTool({ tool, arguments: args, traceparent, on_progress, on_question });
        return { result, protocol_version, left_out };
      };
      const answer = await deps.use(connection, limits, signal, work, { is_looked_at, on_step, on_facts });
      if (!answer.ok) return answer;
      if (answer.value === null) throw unstored;
      if ('tools' in answer.value) throw await otherNow(deps, ready_tool, answer.value);
      return { ok: true, value: { ...answer.value, result: soundResult(answer.value.result) } };
    });
  };
  const request: ToolCalls['request'] = (connection, { timeout_ms, max_bytes, signal, on_step, on_facts }, work) =>
    inPlace(connection.user_id, () =>
      deps.use(connection, { timeout_ms, max_bytes }, signal, work, { on_step, on_facts }),
    );
  return { ready, check: checkArguments, call, request };
}

/** Explains why the tool was not called, and stores the current list for its owner. */
async function otherNow({ db, tool_lists }: ToolCallsDeps, ready: ReadyTool, listed: ToolListing): Promise<Problem> {
  const { tools, left_out } = await tool_lists.keep(ready.connection, listed);
  const known = tools.get(ready.tool.name);
  if (known === undefined) return toolNotFound(ready.tool.name, tools.keys(), left_out);
  return changedSince(db, ready.connection.id, known, ready);
}

/** `accepted`: as far as it is known without the stored definition. */
const changedSince = async (
  db: ToolCallsDeps['db'],
  connectionId: string,
  known: KnownTool,
  accepted: Pick<Pin, 'hash' | 'definition'>,
): Promise<Problem> => toolChanged((await findPin(db, connectionId, known.definition.name)) ?? accepted, known);

const tooManyCalls = (): Problem =>
  coreProblem('http.limit_exceeded', `You have ${MOST_AT_ONCE} calls in progress, the limit.`, {
    reason: 'concurrency',
    headers: { 'retry-after': '1' },
  });

async function readyTool(
  { db, reads, clock, tool_lists }: ToolCallsDeps,
  of: Owned,
  name: string,
  options: ReadyOptions,
): Promise<ReadyTool> {
  // Both queries at once; the pin is used only once the connection is known to be the caller's.
  const [connection, accepted] = await Promise.all([usableConnection(reads, of), findPinnedHash(reads, of.id, name)]);
  let { tools, left_out } = await tool_lists.read(connection, false, options);
  // An older list is no reason to refuse.
  const seen = tools.get(name)?.hash;
  if (seen === undefined || (accepted !== undefined && accepted !== seen))
    ({ tools, left_out } = await tool_lists.read(connection, true, options));
  const known = tools.get(name);
  if (known === undefined) throw toolNotFound(name, tools.keys(), left_out);
  const hash = accepted ?? (await pinned(db, connection.id, known, tools.values(), clock.now())).hash;
  if (hash !== known.hash) throw await changedSince(db, connection.id, known, { hash, definition: null });
  return { ...known, connection };
}

/** Limits pins of a server that keeps changing its tools. */
const MOST_PINS = 1_000;
const MOST_DEFINITION_CHARS = 512 * 1024;

/** Pins are stored as long as the connection. Throws `connections.server_failed` (`tools_unusable`) or `.schema_unusable`. */
export function checkPinnable({ definition }: KnownTool, pinCount: number): void {
  if (textOf(definition).length > MOST_DEFINITION_CHARS)
    throw schemaUnusable(definition.name, `and the rest of it exceed ${MOST_DEFINITION_CHARS} characters`);
  if (pinCount < MOST_PINS) return;
  throw connectionsProblem(
    'connections.server_failed',
    `The server has shown more than ${MOST_PINS} tools over time. Delete the connection and create it again.`,
    { reason: 'tools_unusable' },
  );
}

/** The first call of a connection accepts all of its tools. Later, throws `connections.tool_conflict` (`tool_added`). */
async function pinned(
  db: ToolCallsDeps['db'],
  connectionId: string,
  known: KnownTool,
  all: Iterable<KnownTool>,
  nowMs: number,
): Promise<Pick<Pin, 'hash' | 'definition'>> {
  checkPinnable(known, await countPins(db, connectionId));
  if (await isPinned(db, connectionId)) {
    // A concurrent first call may have pinned them all since.
    const pin = await findPin(db, connectionId, known.definition.name);
    if (pin === undefined) throw toolAdded(known);
    return pin;
  }
  // The called tool comes first, so that its definition is stored.
  await pinTools(db, connectionId, new Set([known, ...all]), isoTime(nowMs));
  // A pin of a concurrent call wins.
  return (await findPin(db, connectionId, known.definition.name)) ?? known;
}

/** Names the tools of the server that were probably meant. */
export function toolNotFound(name: string, offered: Iterable<string>, { tools }: LeftOut): Problem {
  const shown = JSON.stringify(plainName(name));
  const broken = tools.find((tool) => tool.name === name);
  const close = closeNames(name, offered).map((similar) => JSON.stringify(plainName(similar)));
  const hint = close.length === 0 ? '' : ` Similar tools: ${close.join(', ')}.`;
  return connectionsProblem(
    'connections.not_found',
    broken === undefined
      ? `The server does not offer the tool ${shown}.${hint}`
      : `The server offers the tool ${shown} with an invalid definition (${broken.reason}). Report it to the server's author.`,
    { reason: 'tool' },
  );
}

const toolAdded = ({ definition, hash }: KnownTool): Problem =>
  connectionsProblem(
    'connections.tool_conflict',
    `The server added ${plainName(definition.name)} after your first call. Review the tool, then accept it.`,
    { reason: 'tool_added', extensions: { tool: definition.name, hash } },
  );

const toolChanged = (pin: Pick<Pin, 'hash' | 'definition'>, known: KnownTool): Problem =>
  connectionsProblem(
    'connections.tool_conflict',
    `${plainName(known.definition.name)} changed since it was accepted. Review the differences, then accept it.`,
    {
      reason: 'tool_changed',
      extensions: {
        tool: known.definition.name,
        accepted_hash: pin.hash,
        hash: known.hash,
        differences: pin.definition === null ? [] : differencesOf(pin.definition, known.definition),
      },
    },
  );

async function checkArguments(
  { definition }: ReadyTool,
  args: Record<string, unknown>,
  { share, signal }: Checking,
): Promise<void> {
  const name = plainName(definition.name);
  const unfit = (errors: { pointer: string; detail: string }[]) =>
    connectionsProblem('connections.arguments_invalid', `The arguments do not match the input schema of ${name}.`, {
      errors,
    });
  const fault = jsonFault(args);
  if (fault !== null) throw unfit([{ pointer: '/arguments', detail: fault }]);
  const checked = await checkApart(definition.input_schema, args, share, signal);
  if ('refused' in checked) throw refusedCheck(checked);
  if ('unusable' in checked) throw schemaUnusable(definition.name, checked.unusable);
  if (checked.errors.length > 0)
    throw unfit(checked.errors.map((error) => ({ ...error, pointer: `/arguments${error.pointer}` })));
}

const schemaUnusable = (name: string, why: string): Problem =>
  connectionsProblem(
    'connections.tool_unsupported',
    `The input schema of ${plainName(name)} ${why}; the tool was not called.`,
    { reason: 'schema' },
  );

function soundResult(result: CallToolResult): CallToolResult {
  if (!isNestedTooDeep(result)) return wellFormed(result);
  throw connectionsProblem('connections.server_failed', `The response is nested deeper than ${MAX_NESTING}.`, {
    reason: 'result_too_large',
  });
}
