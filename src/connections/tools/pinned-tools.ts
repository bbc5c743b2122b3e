import type { Kysely } from 'kysely';
import { markPinned } from '#connections/connections/connections.ts';
import type { Schema } from '#core/db/schema.ts';
import { type KnownTool, type ToolDefinition, textOf } from '#core/mcp/tool.ts';

/** The tools as their owners accepted them: the only SQL that names `connection_tools`. */

type Db = Kysely<Schema>;

export interface Pin {
  tool: string;
  hash: string;
  /** Null where the connection has too much of them to be kept. */
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

/** How many of its tools a connection has used. */
export const countPins = async (db: Db, connection_id: string): Promise<number> =>
  (await listPins(db, connection_id)).size;

/** By tool. */
export async function listPins(db: Db, connection_id: string): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('connection_tools')
    .select(['tool', 'hash'])
    .where('connection_id', '=', connection_id)
    .execute();
  return new Map(rows.map(({ tool, hash }) => [tool, hash]));
}

const rowOf = (connection_id: string, { definition, hash }: KnownTool, now: string) => ({
  connection_id,
  tool: definition.name,
  hash,
  definition: textOf(definition),
  accepted_at: now,
});

/** Of the definitions that are kept to show differences; the others have their hash alone. */
const MOST_DEFINITION_CHARS = 512 * 1024;
const ROWS_AT_ONCE = 100;

/** Pins all tools of a connection, at its first call. Of two first calls that race, each tool keeps one of both pins. */
export const pinTools = (db: Db, connection_id: string, tools: Iterable<KnownTool>, now: string): Promise<void> =>
  db.transaction().execute(async (trx) => {
    let left = MOST_DEFINITION_CHARS;
    const rows = [...tools].map((tool) => {
      const row = rowOf(connection_id, tool, now);
      left -= row.definition.length;
      return left < 0 ? { ...row, definition: '' } : row;
    });
    for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
      await trx
        .insertInto('connection_tools')
        .values(rows.slice(at, at + ROWS_AT_ONCE))
        .onConflict((conflict) => conflict.columns(['connection_id', 'tool']).doNothing())
        .execute();
    await markPinned(trx, connection_id, now);
  });

/** When its owner agrees to what it is now. */
export const acceptPin = async (db: Db, connection_id: string, tool: KnownTool, now: string): Promise<void> => {
  const row = rowOf(connection_id, tool, now);
  const { hash, definition, accepted_at } = row;
  await db
    .insertInto('connection_tools')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['connection_id', 'tool']).doUpdateSet({ hash, definition, accepted_at }),
    )
    .execute();
};
