import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { Database } from '#core/db/open.ts';
import { removeExpired } from '#core/db/remove-expired.ts';
import type { Schema } from '#core/db/schema.ts';
import type { McpSessionRow } from '#core/db/schema-mcp.ts';

/**
 * Sessions of the older revisions, for clients that can be asked something during a call. A session stores what the
 * client declared at initialization, in a row that every process can read. The only SQL that uses `mcp_sessions`.
 */

export interface ClientSession {
  id: string;
  /** The params of its `initialize`. */
  hello: Record<string, unknown>;
}

interface SessionOwner {
  /** The user's id; null if it was started without a credential. Nobody else can use it. */
  user_id: string | null;
  /** The owner whose limit it counts against. */
  owner: string;
}

export interface ClientSessions {
  /** Returns its id; null at the limit, and then the client is served without a session. */
  begin(hello: Record<string, unknown>, owner: SessionOwner): Promise<string | null>;
  /** Null if it does not exist or belongs to someone else. */
  find(id: string, userId: string | null): Promise<ClientSession | null>;
  /** Returns the active ones of these sessions. This also counts as use. */
  standing(ids: readonly string[]): Promise<ReadonlySet<string>>;
  end(id: string): Promise<void>;
}

interface ClientSessionsOptions {
  database: Database;
  clock: Clock;
  /** Maximum over all processes. */
  max: number;
  idle_ms: number;
}

const PER_OWNER = 10;
/** Many clients may share one address, so they do not evict each other's active sessions. */
const IN_USE_MS = 60_000;
/** How often use is recorded. */
const TOUCH_MS = 5_000;
const MOST_HELLO = 16_384;
const CLEAN_MOST = 64;

export function clientSessions(options: ClientSessionsOptions): ClientSessions {
  const { database, clock, max, idle_ms } = options;
  const { db } = database;
  const at = (offsetMs: number): string => isoTime(clock.now() + offsetMs);
  const touch = async (rows: readonly Pick<McpSessionRow, 'id' | 'expires_at'>[]): Promise<void> => {
    const due = rows.filter(({ expires_at }) => expires_at <= at(idle_ms - TOUCH_MS)).map(({ id }) => id);
    if (due.length === 0) return;
    await db
      .updateTable('mcp_sessions')
      .set({ expires_at: at(idle_ms) })
      .where('id', 'in', due)
      .execute();
  };
  return {
    end: (id) => end(db, id),
    async begin(hello, { user_id, owner }) {
      const text = JSON.stringify(hello);
      if (max === 0 || text.length > MOST_HELLO) return null;
      await removeExpired(database, 'mcp_sessions', clock.now(), CLEAN_MOST);
      if (!(await makeRoom(options, owner))) return null;
      const id = randomUUID();
      const row = { id, user_id, owner, hello: text, expires_at: at(idle_ms) };
      await db.insertInto('mcp_sessions').values(row).execute();
      return id;
    },
    async find(id, userId) {
      const row = await db.selectFrom('mcp_sessions').selectAll().where('id', '=', id).executeTakeFirst();
      if (row === undefined || row.user_id !== userId || row.expires_at <= at(0)) return null;
      await touch([row]);
      return { id, hello: JSON.parse(row.hello) };
    },
    async standing(ids) {
      if (ids.length === 0) return new Set();
      const rows = await db
        .selectFrom('mcp_sessions')
        .select(['id', 'expires_at'])
        .where('id', 'in', ids)
        .where('expires_at', '>', at(0))
        .execute();
      await touch(rows);
      return new Set(rows.map((row) => row.id));
    },
  };
}

async function end(db: Kysely<Schema>, id: string): Promise<void> {
  await db.deleteFrom('mcp_sessions').where('id', '=', id).execute();
}

/** Ends the owner's least recently used session if there are too many; false if all are in use. */
async function makeRoom({ database: { db }, clock, max, idle_ms }: ClientSessionsOptions, owner: string) {
  const nowMs = clock.now();
  const [oldest, ...others] = await db
    .selectFrom('mcp_sessions')
    .select(['id', 'expires_at'])
    .where('owner', '=', owner)
    .where('expires_at', '>', isoTime(nowMs))
    .orderBy('expires_at')
    .execute();
  if (oldest !== undefined && others.length + 1 >= PER_OWNER) {
    if (oldest.expires_at > isoTime(nowMs + idle_ms - IN_USE_MS)) return false;
    await end(db, oldest.id);
  }
  const { count } = await db
    .selectFrom('mcp_sessions')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('expires_at', '>', isoTime(nowMs))
    .executeTakeFirstOrThrow();
  return Number(count) < max;
}
