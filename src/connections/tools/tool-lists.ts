import { LRUCache } from 'lru-cache';
import type { ConnectionsBase } from '#connections/connections/base.ts';
import type { Connection } from '#connections/connections/connection.ts';
import { readTools, saveTools } from '#connections/connections/connections.ts';
import { problemOf } from '#connections/connections/failures.ts';
import type { UseServer } from '#connections/connections/servers.ts';
import { connectionsProblem } from '#connections/errors.ts';
import { isoTime } from '#core/clock/clock.ts';
import { type KnownTool, knownTool } from '#core/mcp/tool.ts';
import type { LeftOut, ToolListing } from '#core/mcp/tool-listing.ts';
import { isNestedTooDeep, wellFormed } from '#core/text/keepable.ts';
import { pauses } from '#core/threads/pauses.ts';
import type { ReadyOptions } from './ready-options.ts';

/** The recent tool lists of connections' servers. */
export interface ToolLists {
  /** Asks the server if the stored list is old, if the server reported a change, or with `refresh`. */
  read(connection: Connection, refresh: boolean, options?: ReadyOptions): Promise<ToolList>;
  /** Stores what the server has just returned. Throws `connections.server_failed` (`tools_unusable`). */
  keep(connection: Connection, listing: ToolListing): Promise<ToolList>;
  /** Returns the stored list of any age; null if the server was never asked. Sends nothing. */
  stored(connection: Connection): Promise<ToolList | null>;
}

export interface ToolList {
  read_at: string;
  /** By name, in the server's order. */
  tools: ReadonlyMap<string, KnownTool>;
  left_out: LeftOut;
}

interface AskOptions extends Omit<ReadyOptions, 'signal'> {
  signal?: AbortSignal | null | undefined;
}

const FRESH_MS = 60_000;
const MOST_TOOLS = 1_000;
export const LIST_LIMITS = { timeout_ms: 20_000, max_bytes: 2 * 1024 * 1024 };
/** Lists that are already parsed and hashed. */
const MOST_REMEMBERED = 200;

export function openToolLists(
  { db, clock, storage }: Pick<ConnectionsBase, 'db' | 'clock' | 'storage'>,
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
    const list = await listOf(row, tools_read_at);
    remembered.set(key, list);
    return list;
  };

  const kept = async (connection: Connection): Promise<ToolList | null> => {
    const { tools_read_at } = connection;
    if (tools_read_at === null) return null;
    // A package has one version, and the box that runs it tells when its tools change: it is not started to ask again.
    if (connection.package === null && Date.parse(tools_read_at) + FRESH_MS < clock.now()) return null;
    return stored(connection);
  };

  const ask = async (connection: Connection, { signal = null, on_step }: AskOptions = {}): Promise<ToolList> => {
    const answer = await use(connection, LIST_LIMITS, signal, (session) => session.listTools(), { on_step });
    if (!answer.ok) throw problemOf(answer.failure);
    return keep(connection, answer.value);
  };

  const keep: ToolLists['keep'] = async (connection, said) => {
    const listing = soundTools(said);
    await requireRoom(connection, listing);
    const readAt = isoTime(clock.now());
    await saveTools(db, connection.id, listing, readAt);
    const list = await listOf(listing, readAt);
    remembered.set(`${connection.id} ${readAt}`, list);
    return list;
  };

  /** A list that is no longer than the previous one needs no additional storage. */
  const requireRoom = async ({ id, user_id }: Connection, listing: ToolListing): Promise<void> => {
    const known = await readTools(db, id);
    const growth = bytesOf(listing) - (known === undefined ? 0 : bytesOf(known));
    if (growth > 0) await storage.require(db, user_id, 'connections', growth);
  };

  /** Concurrent requests share one response. */
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
    read: async (connection, refresh, options) => {
      const list = refresh ? null : await kept(connection);
      if (list !== null) return list;
      // Each caller sees the steps of its package and can cancel; the start itself is shared anyway.
      return connection.package === null ? askOnce(connection) : ask(connection, options);
    },
  };
}

const bytesOf = ({ tools, left_out }: ToolListing): number => Buffer.byteLength(JSON.stringify({ tools, left_out }));

/** A thousand tools take longer to hash than a request may hold the event loop. */
async function listOf({ tools, left_out }: ToolListing, read_at: string): Promise<ToolList> {
  const pause = pauses();
  const known = new Map<string, KnownTool>();
  for (const tool of tools) {
    await pause();
    known.set(tool.name, knownTool(tool));
  }
  return { read_at, left_out, tools: known };
}

/** Tools that can be stored and hashed; a server with more is rejected completely. */
export function soundTools({ tools, left_out }: ToolListing): ToolListing {
  if (isNestedTooDeep(tools) || tools.length > MOST_TOOLS)
    throw connectionsProblem(
      'connections.server_failed',
      `The server has more than ${MOST_TOOLS} tools, or its schemas are nested too deeply.`,
      { reason: 'tools_unusable' },
    );
  return { tools: wellFormed(tools), left_out: wellFormed(left_out) };
}
