import type { Tool } from '@modelcontextprotocol/client';
import { LRUCache } from 'lru-cache';
import type { SessionsBase } from '#connections/connections/base.ts';
import type { Connection } from '#connections/connections/connection.ts';
import { readTools, saveTools } from '#connections/connections/connections.ts';
import { problemOf } from '#connections/connections/failures.ts';
import type { UseServer } from '#connections/connections/servers.ts';
import { isoTime } from '#core/clock/clock.ts';
import { type KnownTool, knownTool } from '#core/mcp/tool.ts';
import { Problem } from '#core/problem/problem.ts';
import { isNestedTooDeep, wellFormed } from '#core/text/keepable.ts';

/** What tools a connection's server has, as it said a short while ago. */
export interface ToolLists {
  /** Asks the server where what is known is old, the server said that it changed, or `refresh` is wanted. */
  read(connection: Connection, refresh: boolean): Promise<ToolList>;
  /** Keeps what the server has just said. Throws `sessions.tools_unusable`. */
  keep(connection: Connection, tools: Tool[]): Promise<ToolList>;
  /** What is stored, however old; null where the server was never asked. Sends nothing. */
  stored(connection: Connection): Promise<ToolList | null>;
}

export interface ToolList {
  read_at: string;
  /** By name, in the server's order. */
  tools: ReadonlyMap<string, KnownTool>;
}

const FRESH_MS = 60_000;
const MOST_TOOLS = 1_000;
export const LIST_LIMITS = { timeout_ms: 20_000, max_bytes: 2 * 1024 * 1024 };
/** Lists whose tools are parsed and hashed already. */
const MOST_REMEMBERED = 200;

export function openToolLists(
  { db, clock, storage }: Pick<SessionsBase, 'db' | 'clock' | 'storage'>,
  use: UseServer,
): ToolLists {
  const remembered = new LRUCache<string, ToolList>({ max: MOST_REMEMBERED });
  const asking = new Map<string, Promise<ToolList>>();

  const stored = async ({ id, tools_read_at }: Connection): Promise<ToolList | null> => {
    if (tools_read_at === null) return null;
    const key = `${id} ${tools_read_at}`;
    const known = remembered.get(key);
    if (known !== undefined) return known;
    const row = await readTools(db, id);
    if (row === undefined || row.tools_read_at !== tools_read_at) return null;
    const list = listOf(row.tools, tools_read_at);
    remembered.set(key, list);
    return list;
  };

  const kept = async (connection: Connection): Promise<ToolList | null> => {
    const { tools_read_at } = connection;
    if (tools_read_at === null || Date.parse(tools_read_at) + FRESH_MS < clock.now()) return null;
    return stored(connection);
  };

  const ask = async (connection: Connection): Promise<ToolList> => {
    const answer = await use(connection, LIST_LIMITS, null, (session) => session.listTools());
    if (!answer.ok) throw problemOf(answer.failure);
    return keep(connection, answer.value);
  };

  const keep: ToolLists['keep'] = async (connection, said) => {
    const tools = soundTools(said);
    await requireRoom(connection, tools);
    const read_at = isoTime(clock.now());
    await saveTools(db, connection.id, tools, read_at);
    const list = listOf(tools, read_at);
    remembered.set(`${connection.id} ${read_at}`, list);
    return list;
  };

  /** A list that is no longer than the one it replaces needs none. */
  const requireRoom = async ({ id, user_id }: Connection, tools: Tool[]): Promise<void> => {
    const known = await readTools(db, id);
    const growth = bytesOf(tools) - (known === undefined ? 0 : bytesOf(known.tools));
    if (growth > 0) await storage.require(db, user_id, 'connections', growth);
  };

  /** Whoever wants the same at the same time waits for the same answer. */
  const askOnce = (connection: Connection): Promise<ToolList> => {
    const known = asking.get(connection.id);
    if (known !== undefined) return known;
    const asked = ask(connection).finally(() => asking.delete(connection.id));
    asking.set(connection.id, asked);
    return asked;
  };

  return {
    keep,
    stored,
    read: async (connection, refresh) => (refresh ? null : await kept(connection)) ?? askOnce(connection),
  };
}

const bytesOf = (tools: readonly Tool[] | null): number => Buffer.byteLength(JSON.stringify(tools));

const listOf = (tools: readonly Tool[], read_at: string): ToolList => ({
  read_at,
  tools: new Map(tools.map((tool) => [tool.name, knownTool(tool)])),
});

/** What can be kept and hashed; a server with more than that is refused as a whole. */
export function soundTools(tools: Tool[]): Tool[] {
  if (isNestedTooDeep(tools) || tools.length > MOST_TOOLS)
    throw new Problem(
      'upstream_failed',
      'sessions.tools_unusable',
      `The server has more than ${MOST_TOOLS} tools, or its schemas are nested too deeply.`,
    );
  return wellFormed(tools);
}
