import type { Kysely } from 'kysely';
import type { Schema } from '../../platform/db/schema.ts';
import { type KnownTool, type ToolDefinition, textOf } from './tool.ts';

/** The tools as their owners accepted them: the only SQL that names `connection_tools`. */

type Db = Kysely<Schema>;

export interface Pin {
  tool: string;
  hash: string;
  definition: ToolDefinition;
  accepted_at: string;
}

export async function findPin(db: Db, connection_id: string, tool: string): Promise<Pin | undefined> {
  const row = await db
    .selectFrom('connection_tools')
    .select(['tool', 'hash', 'definition', 'accepted_at'])
    .where('connection_id', '=', connection_id)
    .where('tool', '=', tool)
    .executeTakeFirst();
  return row === undefined ? undefined : { ...row, definition: JSON.parse(row.definition) };
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
  ...{ connection_id, tool: definition.name, hash },
  ...{ definition: textOf(definition), accepted_at: now },
});

/** At first use. Of two first uses that race one stands. */
export const pinTool = async (db: Db, connection_id: string, tool: KnownTool, now: string): Promise<void> =>
  void (await db
    .insertInto('connection_tools')
    .values(rowOf(connection_id, tool, now))
    .onConflict((it) => it.columns(['connection_id', 'tool']).doNothing())
    .execute());

/** When its owner agrees to what it is now. */
export const acceptPin = async (db: Db, connection_id: string, tool: KnownTool, now: string): Promise<void> => {
  const row = rowOf(connection_id, tool, now);
  const { hash, definition, accepted_at } = row;
  await db
    .insertInto('connection_tools')
    .values(row)
    .onConflict((it) => it.columns(['connection_id', 'tool']).doUpdateSet({ hash, definition, accepted_at }))
    .execute();
};
