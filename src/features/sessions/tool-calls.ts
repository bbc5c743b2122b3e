import type { CallToolResult } from '@modelcontextprotocol/client';
import { isoTime } from '../../platform/clock.ts';
import { checkApart } from '../../platform/json-schema/check-apart.ts';
import { isNestedTooDeep, jsonFault, MAX_NESTING, wellFormed } from '../../platform/keepable.ts';
import type { McpAnswer, McpProgress, McpWork } from '../../platform/mcp/session.ts';
import { Problem } from '../../platform/problem.ts';
import { openTally } from '../../platform/threads/tally.ts';
import { ALONE } from '../../platform/threads/threads.ts';
import type { SessionsBase } from './base.ts';
import type { Connection } from './connection.ts';
import type { Owned } from './connections.ts';
import { countPins, findPin, pinTool } from './pinned-tools.ts';
import type { UseServer } from './servers.ts';
import { differencesOf, type KnownTool, plainName, textOf } from './tool.ts';
import type { ToolLists } from './tool-lists.ts';
import { usableConnection } from './usable-connection.ts';

/** Calls of tools as their owners accepted them: for this feature's operations and for whatever runs capabilities. */
export interface ToolCalls {
  /**
   * A tool of one's own connection; pinned here at its first use. Throws `sessions.not_found`, `.tool_not_found`,
   * `.tool_changed`, `registry.listing_taken_down`, and what asking the server for its tools may come to.
   */
  ready(of: Owned, tool: string): Promise<ReadyTool>;
  /** Throws `sessions.arguments_unfit`, `.schema_unusable` or `.check_busy`. */
  check(tool: ReadyTool, args: Record<string, unknown>): Promise<void>;
  /** What the server does wrong is an answer; an abort throws the signal's reason. */
  call(tool: ReadyTool, order: CallOrder): Promise<McpAnswer<Called>>;
}

export interface ReadyTool extends KnownTool {
  connection: Connection;
}

export interface CallOrder {
  arguments: Record<string, unknown>;
  timeout_ms: number;
  /** Of all that the server answers. */
  max_bytes: number;
  traceparent: string;
  signal: AbortSignal;
  on_progress?: ((progress: McpProgress) => void) | undefined;
}

export interface Called {
  result: CallToolResult;
  protocol_version: string;
}

export interface ToolCallsDeps extends Pick<SessionsBase, 'db' | 'clock' | 'threads'> {
  tool_lists: ToolLists;
  use: UseServer;
}

/** Of one user, in one process: a server that does not answer holds no more than these. */
const MOST_AT_ONCE = 64;

/** A takedown reaches every call within two seconds; a call that follows at once is let through by the look before it. */
const LOOK_HOLDS_MS = 1_000;

export function toolCalls(deps: ToolCallsDeps): ToolCalls {
  const at_work = openTally(deps.threads ?? ALONE, 'sessions.calls', MOST_AT_ONCE);
  /** When a tool was made ready, until its first call. */
  const looked_at_ms = new WeakMap<ReadyTool, number>();
  const ready: ToolCalls['ready'] = async (of, name) => {
    const began_ms = performance.now();
    const tool = await readyTool(deps, of, name);
    looked_at_ms.set(tool, began_ms);
    return tool;
  };
  const call: ToolCalls['call'] = async (ready_tool, order) => {
    const { connection, tool } = ready_tool;
    const is_looked_at = performance.now() - (looked_at_ms.get(ready_tool) ?? -Infinity) < LOOK_HOLDS_MS;
    looked_at_ms.delete(ready_tool);
    const { arguments: args, timeout_ms, max_bytes, traceparent, signal, on_progress } = order;
    const { user_id } = connection;
    if (!(await at_work.take(user_id))) throw tooManyCalls();
    try {
      const limits = { timeout_ms, max_bytes };
      const work: McpWork<Called> = async ({ callTool, protocol_version }) => ({
        result: await callTool({ tool, arguments: args, traceparent, on_progress }),
        protocol_version,
      });
      const answer = await deps.use(connection, limits, signal, work, is_looked_at);
      return answer.ok ? { ok: true, value: { ...answer.value, result: soundResult(answer.value.result) } } : answer;
    } finally {
      at_work.giveBack(user_id);
    }
  };
  return { ready, check: checkArguments, call };
}

const tooManyCalls = (): Problem =>
  new Problem('rate_limited', 'sessions.too_many_calls', `You have ${MOST_AT_ONCE} calls under way already.`, {
    headers: { 'retry-after': '1' },
  });

async function readyTool({ db, clock, tool_lists }: ToolCallsDeps, of: Owned, name: string): Promise<ReadyTool> {
  // Both at once; the pin is nobody's business until the connection is known to be theirs.
  const [connection, found] = await Promise.all([usableConnection(db, of), findPin(db, of.id, name)]);
  const { tools } = await tool_lists.read(connection, false);
  const known = tools.get(name);
  if (known === undefined) throw toolNotFound(name);
  const pin = found ?? (await pinned(db, connection.id, known, clock.now()));
  if (pin.hash !== known.hash) throw toolChanged(pin, known);
  return { ...known, connection };
}

/** However often a server has other tools. */
const MOST_PINS = 1_000;
const MOST_DEFINITION_CHARS = 512 * 1024;

/** What is pinned is kept for as long as the connection. Throws `sessions.tools_unusable`, `.schema_unusable`. */
export async function checkPinnable(db: ToolCallsDeps['db'], connection_id: string, { definition }: KnownTool) {
  if (textOf(definition).length > MOST_DEFINITION_CHARS)
    throw schemaUnusable(definition.name, `and the rest of it are over ${MOST_DEFINITION_CHARS} characters`);
  if ((await countPins(db, connection_id)) < MOST_PINS) return;
  throw new Problem(
    'upstream_failed',
    'sessions.tools_unusable',
    `The server has shown more than ${MOST_PINS} tools over time. Delete the connection and make it anew.`,
  );
}

async function pinned(db: ToolCallsDeps['db'], connection_id: string, known: KnownTool, now_ms: number) {
  await checkPinnable(db, connection_id, known);
  await pinTool(db, connection_id, known, isoTime(now_ms));
  // What another call pinned at the same time stands.
  return (await findPin(db, connection_id, known.definition.name)) ?? known;
}

export const toolNotFound = (name: string): Problem =>
  new Problem('not_found', 'sessions.tool_not_found', `The server has no tool ${JSON.stringify(plainName(name))} now.`);

const toolChanged = (pin: Pick<KnownTool, 'hash' | 'definition'>, known: KnownTool): Problem =>
  new Problem(
    'conflict',
    'sessions.tool_changed',
    `${plainName(known.definition.name)} is not what it was when it was accepted. Look at the differences, and accept it or leave it.`,
    {
      extensions: {
        tool: known.definition.name,
        accepted_hash: pin.hash,
        hash: known.hash,
        differences: differencesOf(pin.definition, known.definition),
      },
    },
  );

async function checkArguments({ definition }: ReadyTool, args: Record<string, unknown>): Promise<void> {
  const name = plainName(definition.name);
  const unfit = (errors: { pointer: string; detail: string }[]) =>
    new Problem('unprocessable', 'sessions.arguments_unfit', `The arguments do not fit what ${name} takes.`, {
      errors,
    });
  const fault = jsonFault(args);
  if (fault !== null) throw unfit([{ pointer: '/arguments', detail: fault }]);
  const checked = await checkApart(definition.input_schema, args);
  if ('busy' in checked)
    throw new Problem('unavailable', 'sessions.check_busy', 'Too many arguments are being checked; ask again in 2 s.', {
      headers: { 'retry-after': '2' },
    });
  if ('unusable' in checked) throw schemaUnusable(definition.name, checked.unusable);
  if (checked.errors.length > 0)
    throw unfit(checked.errors.map((it) => ({ ...it, pointer: `/arguments${it.pointer}` })));
}

const schemaUnusable = (name: string, why: string): Problem =>
  new Problem(
    'unprocessable',
    'sessions.schema_unusable',
    `The input schema of ${plainName(name)} ${why}; it is not called.`,
  );

function soundResult(result: CallToolResult): CallToolResult {
  if (!isNestedTooDeep(result)) return wellFormed(result);
  throw new Problem('upstream_failed', 'sessions.result_too_large', `The answer is nested deeper than ${MAX_NESTING}.`);
}
