import type { Kysely } from 'kysely';
import { markPinned } from '#connections/connections/connections.ts';
import { countOf } from '#core/db/pages.ts';
import { prepared } from '#core/db/prepared.ts';
import type { Schema } from '#core/db/schema.ts';
import { type KnownTool, type ToolDefinition, textOf } from '#core/mcp/tool.ts';
import { pauses } from '#core/threads/pauses.ts';

/** Tools as their owners accepted them: the only SQL that uses `connection_tools`. */

type Db = Kysely<Schema>;

export interface Pin {
  tool: string;
  hash: string;
  /** Null if the connection has too many definitions to store. */
  definition: ToolDefinition | null;
  accepted_at: string;
}

export async function findPin(db: Db, connection_id: string, tool: string): Promise<Pin | undefined> {
  const row = await db
    .selectFrom('connection_tools')
    .select(['tool', 'hash', 'definition', 'accepted_at'])
    .where('connection_id', '=', connection_id)
    .where('tool', '=', tool)
    .executeTakeFirst();
  return row === undefined
    ? undefined
    : { ...row, definition: row.definition === '' ? null : JSON.parse(row.definition) };
}

/** The hash alone, which every call compares; the definition may be long. */
export const findPinnedHash = async (db: Db, connection_id: string, tool: string): Promise<string | undefined> =>
  (await readHash(db, { connection_id, tool }))[0]?.hash;

const readHash = prepared(
  ['connection_id', 'tool'],
  (db, { connection_id, tool }: { connection_id: string; tool: string }) =>
    db
      .selectFrom('connection_tools')
      .select('hash')
      .where('connection_id', '=', connection_id)
      .where('tool', '=', tool),
);

/** Number of pinned tools of a connection. */
export const countPins = (db: Db, connection_id: string): Promise<number> =>
  countOf(db.selectFrom('connection_tools').where('connection_id', '=', connection_id));

/** Numbers of pinned tools of all connections of one user that have any, by connection. */
export async function countPinsOf(db: Db, user_id: string): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('connection_tools')
    .innerJoin('connections', 'connections.id', 'connection_tools.connection_id')
    .select((eb) => ['connection_tools.connection_id', eb.fn.countAll<number>().as('pins')])
    .where('connections.user_id', '=', user_id)
    .groupBy('connection_tools.connection_id')
    .execute();
  return new Map(rows.map(({ connection_id, pins }) => [connection_id, Number(pins)]));
}

/** Hashes by tool name. */
export async function listPins(db: Db, connection_id: string): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('connection_tools')
    .select(['tool', 'hash'])
    .where('connection_id', '=', connection_id)
    .execute();
  return new Map(rows.map(({ tool, hash }) => [tool, hash]));
}

/** The stored definitions of these tools; those that were too large to store are missing. */
export async function pinnedDefinitions(
  db: Db,
  connection_id: string,
  tools: readonly string[],
): Promise<ToolDefinition[]> {
  const rows = await db
    .selectFrom('connection_tools')
    .select(['tool', 'definition'])
    .where('connection_id', '=', connection_id)
    .where('definition', '!=', '')
    .execute();
  const wanted = new Set(tools);
  return rows.flatMap(({ tool, definition }) => (wanted.has(tool) ? [JSON.parse(definition) as ToolDefinition] : []));
}

/** When their owner accepts that the server has removed them. */
export async function removePins(db: Db, connection_id: string, tools: readonly string[]): Promise<void> {
  for (let at = 0; at < tools.length; at += ROWS_AT_ONCE)
    await db
      .deleteFrom('connection_tools')
      .where('connection_id', '=', connection_id)
      .where('tool', 'in', tools.slice(at, at + ROWS_AT_ONCE))
      .execute();
}

const rowOf = (connection_id: string, { definition, hash }: KnownTool, now: string) => ({
  connection_id,
  tool: definition.name,
  hash,
  definition: textOf(definition),
  accepted_at: now,
});

/** Limit of definitions that are stored to show differences; the others have only their hash. */
const MOST_DEFINITION_CHARS = 512 * 1024;
const ROWS_AT_ONCE = 100;

/** Pins all tools of a connection at its first call. If two first calls race, each tool keeps one of both pins. */
export async function pinTools(db: Db, connection_id: string, tools: Iterable<KnownTool>, now: string): Promise<void> {
  const rows = await rowsOf(connection_id, tools, now);
  await db.transaction().execute(async (trx) => {
    for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
      await trx
        .insertInto('connection_tools')
        .values(rows.slice(at, at + ROWS_AT_ONCE))
        .onConflict((conflict) => conflict.columns(['connection_id', 'tool']).doNothing())
        .execute();
    await markPinned(trx, connection_id, now);
  });
}

/** Takes turns of the event loop: the definitions of a thousand tools take long to write. */
async function rowsOf(connectionId: string, tools: Iterable<KnownTool>, now: string) {
  const pause = pauses();
  let left = MOST_DEFINITION_CHARS;
  const rows: ReturnType<typeof rowOf>[] = [];
  for (const tool of tools) {
    await pause();
    const row = rowOf(connectionId, tool, now);
    left -= row.definition.length;
    rows.push(left < 0 ? { ...row, definition: '' } : row);
  }
  return rows;
}

/** When its owner accepts the current definition. */
export async function acceptPin(db: Db, connection_id: string, tool: KnownTool, now: string): Promise<void> {
  const row = rowOf(connection_id, tool, now);
  const { hash, definition, accepted_at } = row;
  await db
    .insertInto('connection_tools')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['connection_id', 'tool']).doUpdateSet({ hash, definition, accepted_at }),
    )
    .execute();
}
