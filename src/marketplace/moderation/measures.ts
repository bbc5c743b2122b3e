import type { Kysely } from 'kysely';
import { type PagePlace, pageOf } from '#core/db/pages.ts';
import type { Schema } from '#core/db/schema.ts';
import type { CapabilityAppealRow, CapabilityMeasureRow } from '#core/db/schema-moderation.ts';

/** Moderation actions and appeals: the only SQL that writes these two tables. */

type Db = Kysely<Schema>;

export const measuresOn = (db: Db, capability_ids: readonly string[]): Promise<CapabilityMeasureRow[]> =>
  db
    .selectFrom('capability_measures')
    .selectAll()
    .where('capability_id', 'in', [...capability_ids, ''])
    .orderBy('at')
    .orderBy('measure_id')
    .execute();

export const membersUnder = (db: Db, measure_id: string): Promise<CapabilityMeasureRow[]> =>
  db.selectFrom('capability_measures').selectAll().where('measure_id', '=', measure_id).execute();

/** Saves an action with the traits of its listings, by which they are recognized when they return. */
export async function addMeasure(
  trx: Db,
  measure: Omit<CapabilityMeasureRow, 'capability_id' | 'traits'>,
  capability_ids: readonly string[],
): Promise<void> {
  for (const capability_id of capability_ids)
    await trx
      .insertInto('capability_measures')
      .values({ ...measure, capability_id })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}

export async function endMeasure(trx: Db, measure_id: string, capability_ids: readonly string[]): Promise<void> {
  for (const table of ['capability_measures', 'capability_measure_keys'] as const)
    await trx
      .deleteFrom(table)
      .where('measure_id', '=', measure_id)
      .where('capability_id', 'in', [...capability_ids, ''])
      .execute();
  if ((await membersUnder(trx, measure_id)).length === 0)
    await trx.deleteFrom('capability_spared').where('measure_id', '=', measure_id).execute();
}

/** Excludes capabilities from an action, whatever they share with affected ones. */
export async function spare(trx: Db, measure_id: string, capability_ids: readonly string[], at: string): Promise<void> {
  for (const capability_id of capability_ids)
    await trx
      .insertInto('capability_spared')
      .values({ measure_id, capability_id, at })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}

export async function insertAppeal(trx: Db, appeal: CapabilityAppealRow): Promise<void> {
  await trx.insertInto('capability_appeals').values(appeal).execute();
}

export const appealsAgainst = (db: Db, measure_id: string, capability_ids: readonly string[]) =>
  db
    .selectFrom('capability_appeals')
    .selectAll()
    .where('measure_id', '=', measure_id)
    .where('capability_id', 'in', [...capability_ids, ''])
    .execute();

/** Open appeals of these capabilities against any action. */
export const openAppealsOn = (db: Db, capability_ids: readonly string[]) =>
  db
    .selectFrom('capability_appeals')
    .select(['id', 'measure_id'])
    .where('capability_id', 'in', [...capability_ids, ''])
    .where('status', '=', 'open')
    .orderBy('id')
    .execute();

export async function decideAppeals(
  trx: Db,
  ids: readonly string[],
  change: Pick<CapabilityAppealRow, 'status' | 'outcome' | 'decided_at'>,
): Promise<void> {
  await trx
    .updateTable('capability_appeals')
    .set(change)
    .where('id', 'in', [...ids, ''])
    .execute();
}

interface AppealFilter {
  status: string | undefined;
  /** Only appeals of these; all if null. */
  capability_ids: readonly string[] | null;
  /** Only appeals of this user; all if null. */
  user_id: string | null;
}

/** Oldest first. */
export const listAppealRows = (db: Db, { status, capability_ids, user_id }: AppealFilter, page: PagePlace) =>
  pageOf(
    db
      .selectFrom('capability_appeals')
      .$if(status !== undefined, (query) => query.where('status', '=', status ?? ''))
      .$if(capability_ids !== null, (query) => query.where('capability_id', 'in', [...(capability_ids ?? []), '']))
      .$if(user_id !== null, (query) => query.where('user_id', '=', user_id)),
    page,
    (of) => of.selectAll().orderBy('created_at').orderBy('id'),
  );

export const appealsOfUser = (db: Db, user_id: string): Promise<CapabilityAppealRow[]> =>
  db.selectFrom('capability_appeals').selectAll().where('user_id', '=', user_id).orderBy('created_at').execute();

/** Deletes the text of a deleted account's appeals. Decisions stay. */
export async function forgetAppealsOf(trx: Db, user_id: string, now: string): Promise<void> {
  await trx
    .updateTable('capability_appeals')
    .set({ status: 'withdrawn', decided_at: now })
    .where('user_id', '=', user_id)
    .where('status', '=', 'open')
    .execute();
  await trx.updateTable('capability_appeals').set({ text: '', user_id: null }).where('user_id', '=', user_id).execute();
}
