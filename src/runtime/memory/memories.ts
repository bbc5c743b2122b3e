import type { Kysely } from 'kysely';
import { countOf, type FoundPage, type PagePlace, pageOf } from '#core/db/pages.ts';
import type { Schema } from '#core/db/schema.ts';
import type { MemoryRow, MemoryVersionRow } from '#core/db/schema-harnesses.ts';
import type { MemoryChange, MemoryLine, MemoryVersion, WholeMemory } from './memory.ts';
import { placesUnder } from './memory-path.ts';

/** The memories of harnesses: the only SQL that names `memories` and `memory_versions`. */

type Db = Kysely<Schema>;

/** The current memories, sorted by path without regard to case. */
export async function listMemories(
  db: Db,
  harness: number,
  { prefix = '', ...page }: PagePlace & { prefix?: string },
): Promise<FoundPage<MemoryLine>> {
  const { from, to } = placesUnder(prefix);
  const of = standing(db, harness).$if(prefix !== '', (query) =>
    query.where('place', '>=', from).where('place', '<', to),
  );
  const { items, total_count } = await pageOf(of, page, (query) =>
    query.select(['path', 'version', 'sha256', 'size', 'updated_at']).orderBy('place'),
  );
  return { items: items as MemoryLine[], total_count };
}

const standing = (db: Db, harness: number) =>
  db.selectFrom('memories').where('harness', '=', harness).where('sha256', 'is not', null);

export const countMemories = (db: Db, harness: number): Promise<number> => countOf(standing(db, harness));

/** By exactly this path, a deleted one too. */
export const findRow = (db: Db, harness: number, path: string, place: string): Promise<MemoryRow | undefined> =>
  db
    .selectFrom('memories')
    .selectAll()
    .where('harness', '=', harness)
    .where('place', '=', place)
    .where('path', '=', path)
    .executeTakeFirst();

/** The memories at these places, including deleted ones. */
export const rowsAt = (db: Db, harness: number, places: readonly string[]): Promise<MemoryRow[]> =>
  db.selectFrom('memories').selectAll().where('harness', '=', harness).where('place', 'in', places).execute();

/** Whether a memory exists below this path. */
export async function hasBelow(db: Db, harness: number, path: string): Promise<boolean> {
  const { from, to } = placesUnder(`${path}/`);
  const row = await db
    .selectFrom('memories')
    .select('number')
    .where('harness', '=', harness)
    .where('place', '>=', from)
    .where('place', '<', to)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** By their numbers, with the first characters of the newest version. */
export async function readNewest(db: Db, harness: number, numbers: readonly number[], most: number) {
  if (numbers.length === 0) return [];
  return db
    .selectFrom('memories as m')
    .innerJoin('memory_versions as v', (join) =>
      join.onRef('v.harness', '=', 'm.harness').onRef('v.memory', '=', 'm.number').onRef('v.version', '=', 'm.version'),
    )
    .select(['m.number', 'm.path', 'm.version', 'm.sha256', 'm.size', 'm.updated_at'])
    .select((eb) => eb.fn<string | null>('substr', ['v.content', eb.lit(1), eb.val(most)]).as('content'))
    .where('m.harness', '=', harness)
    .where('m.number', 'in', numbers)
    .execute();
}

/** A page of current memories by path, with content unless redacted. For exports. */
export async function readPage(db: Db, harness: number, { limit, offset }: PagePlace) {
  return db
    .selectFrom('memories as m')
    .innerJoin('memory_versions as v', (join) =>
      join.onRef('v.harness', '=', 'm.harness').onRef('v.memory', '=', 'm.number').onRef('v.version', '=', 'm.version'),
    )
    .select(['m.path', 'm.version', 'v.content'])
    .where('m.harness', '=', harness)
    .where('v.content', 'is not', null)
    .orderBy('m.place')
    .limit(limit)
    .offset(offset)
    .execute();
}

const VERSION = [
  ...(['version', 'change', 'sha256', 'size', 'restored_from', 'note', 'created_at'] as const),
  ...(['redacted_at', 'redacted_reason'] as const),
] as const;
type VersionRow = Omit<MemoryVersionRow, 'harness' | 'memory' | 'content'>;

const shown = ({ redacted_at, redacted_reason, ...rest }: VersionRow): MemoryVersion => ({
  ...rest,
  change: rest.change as MemoryChange,
  redacted: redacted_at === null ? null : { at: redacted_at, reason: redacted_reason ?? '' },
});

/** The newest first. */
export async function listHistory(db: Db, { harness, number }: MemoryRow, page: PagePlace) {
  const of = db.selectFrom('memory_versions').where('harness', '=', harness).where('memory', '=', number);
  const { items, total_count } = await pageOf(of, page, (query) => query.select(VERSION).orderBy('version', 'desc'));
  return { items: items.map(shown), total_count };
}

/** Undefined if the version does not exist. */
export async function readMemoryVersion(db: Db, row: MemoryRow, version: number): Promise<WholeMemory | undefined> {
  const found = await db
    .selectFrom('memory_versions')
    .select([...VERSION, 'content'])
    .where('harness', '=', row.harness)
    .where('memory', '=', row.number)
    .where('version', '=', version)
    .executeTakeFirst();
  if (found === undefined) return undefined;
  const { content, ...rest } = found;
  return { path: row.path, ...shown(rest), content, is_newest: version === row.version };
}

export const insertMemory = async (trx: Db, row: MemoryRow): Promise<void> =>
  void (await trx.insertInto('memories').values(row).execute());

export const updateMemory = async (
  trx: Db,
  { harness, number, version, sha256, size, updated_at }: MemoryRow,
): Promise<void> =>
  void (await trx
    .updateTable('memories')
    .set({ version, sha256, size, updated_at })
    .where('harness', '=', harness)
    .where('number', '=', number)
    .execute());

export const insertMemoryVersion = async (trx: Db, row: MemoryVersionRow): Promise<void> =>
  void (await trx.insertInto('memory_versions').values(row).execute());

/** Every version with this content. Answers the bytes that went with each. */
export const redactVersions = (
  trx: Db,
  { harness, number }: MemoryRow,
  { sha256, now, reason }: { sha256: string; now: string; reason: string },
) =>
  trx
    .updateTable('memory_versions')
    .set({ content: null, redacted_at: now, redacted_reason: reason })
    .where('harness', '=', harness)
    .where('memory', '=', number)
    .where('sha256', '=', sha256)
    .where('redacted_at', 'is', null)
    .returning(['version', 'size'])
    .execute();

/** The usage of a harness's memories: their number, and the bytes of all stored versions. */
export async function sizeOfMemories(db: Db, harness: number): Promise<{ memories: number; bytes: number }> {
  const [{ memories }, { bytes }] = await Promise.all([
    db
      .selectFrom('memories')
      .select((eb) => eb.fn.countAll<number>().as('memories'))
      .where('harness', '=', harness)
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('memory_versions')
      .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('size'), eb.lit(0)).as('bytes'))
      .where('harness', '=', harness)
      .where('content', 'is not', null)
      .executeTakeFirstOrThrow(),
  ]);
  return { memories: Number(memories), bytes: Number(bytes) };
}
