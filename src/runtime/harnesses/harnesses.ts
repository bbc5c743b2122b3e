import { type Kysely, sql } from 'kysely';
import { type PagePlace, pageOf } from '#core/db/pages.ts';
import type { Schema } from '#core/db/schema.ts';
import type { HarnessRow, HarnessVersionRow } from '#core/db/schema-harnesses.ts';
import { type GivenFiles, readGivenFiles } from '#runtime/skills/checks/given-files.ts';

/** The harnesses and their versions: the only SQL that names `harnesses` and `harness_versions`. */

type Db = Kysely<Schema>;
export type Harness = HarnessRow;
type HarnessVersion = Omit<HarnessVersionRow, 'files' | 'bytes'>;
export interface WholeVersion extends HarnessVersion {
  files: Map<string, Uint8Array>;
}

/** A harness of this owner by its id or name; undefined for those of others. */
export async function findHarness(
  db: Db,
  { user_id, ref }: { user_id: string; ref: string },
): Promise<Harness | undefined> {
  const found = await db
    .selectFrom('harnesses')
    .selectAll()
    .where('user_id', '=', user_id)
    .where((eb) => eb.or([eb('id', '=', ref), eb('name', '=', ref)]))
    .execute();
  // A name may have the form of an id.
  return found.find(({ id }) => id === ref) ?? found[0];
}

/** The newest first. */
export const listHarnesses = (db: Db, user_id: string, page: PagePlace) =>
  pageOf(db.selectFrom('harnesses').where('user_id', '=', user_id), page, (of) =>
    of.selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc'),
  );

/** One version with its files, by default the newest. Undefined if it does not exist. */
export async function readVersion(
  db: Db,
  harness: Harness,
  which: { version: number } | { digest: string } = harness,
): Promise<WholeVersion | undefined> {
  const found = await db
    .selectFrom('harness_versions')
    .selectAll()
    .where('harness', '=', harness.number)
    .$if('version' in which, (query) => query.where('version', '=', (which as { version: number }).version))
    .$if(!('version' in which), (query) => query.where('digest', '=', (which as { digest: string }).digest))
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (found === undefined) return undefined;
  const { files, bytes: _, ...version } = found;
  return { ...version, files: readGivenFiles(JSON.parse(files) as GivenFiles).files };
}

const LISTED = ['version', 'name', 'description', 'digest', 'note', 'created_at'] as const;

/** The newest first. */
export const listVersions = (db: Db, { number }: Harness, most: number) =>
  db
    .selectFrom('harness_versions')
    .select(LISTED)
    .where('harness', '=', number)
    .orderBy('version', 'desc')
    .limit(most)
    .execute();

/** The next number, which no other harness ever has. */
export async function nextNumber(trx: Db): Promise<number> {
  const { value } = await trx
    .updateTable('change_counters')
    .set({ value: sql<number>`value + 1` })
    .where('name', '=', 'harnesses')
    .returning('value')
    .executeTakeFirstOrThrow();
  return value;
}

export const insertHarness = async (trx: Db, harness: Harness): Promise<void> =>
  void (await trx.insertInto('harnesses').values(harness).execute());

export const insertVersion = async (trx: Db, version: HarnessVersionRow): Promise<void> =>
  void (await trx.insertInto('harness_versions').values(version).execute());

export const updateHarness = async (
  trx: Db,
  number: number,
  change: Partial<Pick<Harness, 'name' | 'description' | 'version' | 'digest'>>,
): Promise<void> => void (await trx.updateTable('harnesses').set(change).where('number', '=', number).execute());

export const touchHarness = async (trx: Db, number: number, updated_at: string): Promise<void> =>
  void (await trx.updateTable('harnesses').set({ updated_at }).where('number', '=', number).execute());

/** Deletes it with all its data. */
export const deleteHarnessRow = async (trx: Db, number: number): Promise<void> =>
  void (await trx.deleteFrom('harnesses').where('number', '=', number).execute());

export const deleteHarnessesOf = async (trx: Db, user_id: string): Promise<void> =>
  void (await trx.deleteFrom('harnesses').where('user_id', '=', user_id).execute());

export async function bytesOfVersions(db: Db, number: number): Promise<number> {
  const { bytes } = await db
    .selectFrom('harness_versions')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('bytes'), eb.lit(0)).as('bytes'))
    .where('harness', '=', number)
    .executeTakeFirstOrThrow();
  return Number(bytes);
}
