import type { Kysely, Transaction } from 'kysely';
import type { Schema } from '#core/db/schema.ts';

/** The only SQL that writes the tables of vectors, and their four counters. */

type Db = Kysely<Schema>;

/** How far listings have vectors, and in which space. */
export interface EmbeddedMarks {
  seq: number;
  published: number;
  /** A number from the name of the space. */
  space: number;
}

const MARKS = {
  seq: 'search_vectors_capabilities',
  published: 'search_vectors_published',
  space: 'search_vectors_space',
} as const;
/** The newest announced change, which indexes follow. */
const CHANGE = 'search_vectors';

/** Parameters per statement; every database accepts this many. */
const MOST_ROWS = 200;

export async function readMarks(db: Db): Promise<EmbeddedMarks & { change: number }> {
  const rows = await db.selectFrom('change_counters').selectAll().where('name', 'like', 'search_vectors%').execute();
  const counterOf = (name: string): number => Number(rows.find((row) => row.name === name)?.value ?? 0);
  return {
    seq: counterOf(MARKS.seq),
    published: counterOf(MARKS.published),
    space: counterOf(MARKS.space),
    change: counterOf(CHANGE),
  };
}

export async function saveMarks(trx: Db, marks: EmbeddedMarks): Promise<void> {
  for (const [mark, name] of Object.entries(MARKS)) await setCounter(trx, name, marks[mark as keyof EmbeddedMarks]);
}

/** Makes indexes read the rows with this number. */
export const announce = (trx: Db, change: number): Promise<void> => setCounter(trx, CHANGE, change);

async function setCounter(trx: Db, name: string, value: number): Promise<void> {
  await trx.updateTable('change_counters').set({ value }).where('name', '=', name).execute();
}

/** Of each capability: the digest of the text that its vector is of, and of the texts of its tools by name. */
export async function digestsOf(
  db: Db,
  space: string,
  ids: readonly string[],
): Promise<{ own: Map<string, string>; tools: Map<string, Map<string, string>> }> {
  const own = await db
    .selectFrom('search_vectors')
    .select(['capability_id', 'digest'])
    .where('space', '=', space)
    .where('capability_id', 'in', ids)
    .execute();
  const ofTools = await db
    .selectFrom('search_tool_vectors')
    .select(['capability_id', 'tool', 'digest'])
    .where('space', '=', space)
    .where('capability_id', 'in', ids)
    .execute();
  const tools = new Map<string, Map<string, string>>();
  for (const [id, rows] of Map.groupBy(ofTools, ({ capability_id }) => capability_id))
    tools.set(id, new Map(rows.map(({ tool, digest }) => [tool, digest])));
  return { own: new Map(own.map(({ capability_id, digest }) => [capability_id, digest])), tools };
}

/** Vectors of these texts, whatever they are of. */
export async function vectorsOf(db: Db, space: string, digests: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const table of TABLES) {
    const rows = await db
      .selectFrom(table)
      .select(['digest', 'vector'])
      .where('space', '=', space)
      .where('digest', 'in', digests)
      .execute();
    for (const { digest, vector } of rows) found.set(digest, vector);
  }
  return found;
}

const TABLES = ['search_vectors', 'search_tool_vectors'] as const;

export async function countToolVectors(db: Db): Promise<number> {
  const { rows } = await db
    .selectFrom('search_tool_vectors')
    .select(({ fn }) => fn.countAll<number>().as('rows'))
    .executeTakeFirstOrThrow();
  return Number(rows);
}

export interface VectorRow extends ToolKey {
  space: string;
  digest: string;
  vector: string;
  seq: number;
}

/** `tool` is '' for the capability itself. */
export interface ToolKey {
  capability_id: string;
  tool: string;
}

export async function saveVectors(trx: Transaction<Schema>, rows: readonly VectorRow[]): Promise<void> {
  const own = rows.filter(({ tool }) => tool === '').map(({ tool: _, ...row }) => row);
  const tools = rows.filter(({ tool }) => tool !== '');
  for (let at = 0; at < own.length; at += MOST_ROWS)
    await trx
      .insertInto('search_vectors')
      .values(own.slice(at, at + MOST_ROWS))
      .onConflict((conflict) =>
        conflict.column('capability_id').doUpdateSet((eb) => ({
          space: eb.ref('excluded.space'),
          digest: eb.ref('excluded.digest'),
          vector: eb.ref('excluded.vector'),
          seq: eb.ref('excluded.seq'),
        })),
      )
      .execute();
  for (let at = 0; at < tools.length; at += MOST_ROWS)
    await trx
      .insertInto('search_tool_vectors')
      .values(tools.slice(at, at + MOST_ROWS))
      .onConflict((conflict) =>
        conflict.columns(['capability_id', 'tool']).doUpdateSet((eb) => ({
          space: eb.ref('excluded.space'),
          digest: eb.ref('excluded.digest'),
          vector: eb.ref('excluded.vector'),
          seq: eb.ref('excluded.seq'),
        })),
      )
      .execute();
}

/** With those of their tools. */
export async function deleteVectors(trx: Db, ids: readonly string[]): Promise<void> {
  for (const table of TABLES)
    for (let at = 0; at < ids.length; at += MOST_ROWS)
      await trx
        .deleteFrom(table)
        .where('capability_id', 'in', ids.slice(at, at + MOST_ROWS))
        .execute();
}

export async function deleteToolVectors(trx: Db, gone: readonly ToolKey[]): Promise<void> {
  for (const [id, tools] of Map.groupBy(gone, ({ capability_id }) => capability_id))
    await trx
      .deleteFrom('search_tool_vectors')
      .where('capability_id', '=', id)
      .where(
        'tool',
        'in',
        tools.map(({ tool }) => tool),
      )
      .execute();
}

/** Capabilities with a vector of their own or of a tool, in order, after this one. */
export async function idsAfter(db: Db, id: string, most: number): Promise<string[]> {
  const idsIn = (table: (typeof TABLES)[number]) =>
    db.selectFrom(table).select('capability_id').distinct().where('capability_id', '>', id);
  const rows = await idsIn('search_vectors')
    .union(idsIn('search_tool_vectors'))
    .orderBy('capability_id')
    .limit(most)
    .execute();
  return rows.map(({ capability_id }) => capability_id);
}
