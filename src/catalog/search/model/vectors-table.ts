import type { Kysely, Transaction } from 'kysely';
import type { Schema } from '#core/db/schema.ts';

/** The only SQL that writes the table `search_vectors`, and its four counters. */

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

/** The text that a capability's vector is of. */
export async function digestsOf(db: Db, space: string, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('search_vectors')
    .select(['capability_id', 'digest'])
    .where('space', '=', space)
    .where('capability_id', 'in', ids)
    .execute();
  return new Map(rows.map(({ capability_id, digest }) => [capability_id, digest]));
}

/** Vectors of these texts, whatever they are of. */
export async function vectorsOf(db: Db, space: string, digests: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('search_vectors')
    .select(['digest', 'vector'])
    .where('space', '=', space)
    .where('digest', 'in', digests)
    .execute();
  return new Map(rows.map(({ digest, vector }) => [digest, vector]));
}

export type VectorRow = Schema['search_vectors'];

export async function saveVectors(trx: Transaction<Schema>, rows: readonly VectorRow[]): Promise<void> {
  for (let at = 0; at < rows.length; at += MOST_ROWS)
    await trx
      .insertInto('search_vectors')
      .values(rows.slice(at, at + MOST_ROWS))
      .onConflict((conflict) =>
        conflict.column('capability_id').doUpdateSet((eb) => ({
          space: eb.ref('excluded.space'),
          digest: eb.ref('excluded.digest'),
          vector: eb.ref('excluded.vector'),
          seq: eb.ref('excluded.seq'),
        })),
      )
      .execute();
}

export async function deleteVectors(trx: Db, ids: readonly string[]): Promise<void> {
  for (let at = 0; at < ids.length; at += MOST_ROWS)
    await trx
      .deleteFrom('search_vectors')
      .where('capability_id', 'in', ids.slice(at, at + MOST_ROWS))
      .execute();
}

/** Ids with a vector, in order, after this one. */
export async function idsAfter(db: Db, id: string, most: number): Promise<string[]> {
  const rows = await db
    .selectFrom('search_vectors')
    .select('capability_id')
    .where('capability_id', '>', id)
    .orderBy('capability_id')
    .limit(most)
    .execute();
  return rows.map(({ capability_id }) => capability_id);
}
