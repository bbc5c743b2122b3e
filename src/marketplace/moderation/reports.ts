import type { Kysely } from 'kysely';
import { countOf, type PagePlace, pageOf } from '#core/db/pages.ts';
import type { Schema } from '#core/db/schema.ts';
import type { CapabilityReportRow } from '#core/db/schema-moderation.ts';

/** Reports of users: the only SQL that writes `capability_reports`. */

type Db = Kysely<Schema>;

/** False if the user already has an open report on the capability. */
export async function insertReport(db: Db, report: CapabilityReportRow): Promise<boolean> {
  const rows = await db
    .insertInto('capability_reports')
    .values(report)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute();
  return rows.length === 1;
}

export const findReport = (db: Db, id: string): Promise<CapabilityReportRow | undefined> =>
  db.selectFrom('capability_reports').selectAll().where('id', '=', id).executeTakeFirst();

/** An open report on any member of the capability. */
export const findOpenReport = (db: Db, reporter_id: string, capability_ids: readonly string[]) =>
  db
    .selectFrom('capability_reports')
    .selectAll()
    .where('reporter_id', '=', reporter_id)
    .where('status', '=', 'open')
    .where('capability_id', 'in', [...capability_ids, ''])
    .executeTakeFirst();

export const openReports = (
  db: Db,
  capability_ids: readonly string[],
): Promise<Pick<CapabilityReportRow, 'id' | 'capability_id' | 'is_about_listing'>[]> =>
  db
    .selectFrom('capability_reports')
    .select(['id', 'capability_id', 'is_about_listing'])
    .where('status', '=', 'open')
    .where('capability_id', 'in', [...capability_ids, ''])
    .execute();

export async function closeReports(
  trx: Db,
  ids: readonly string[],
  change: Pick<CapabilityReportRow, 'status' | 'outcome' | 'entry_id' | 'closed_at'>,
): Promise<void> {
  await trx
    .updateTable('capability_reports')
    .set(change)
    .where('id', 'in', [...ids, ''])
    .execute();
}

interface ReportFilter {
  status: string | undefined;
  kind: string | undefined;
  /** Only reports on these; all if null. */
  capability_ids: readonly string[] | null;
  /** Only reports of this user; all if null. */
  reporter_id: string | null;
}

/** Oldest first. */
export const listReportRows = (db: Db, { status, kind, capability_ids, reporter_id }: ReportFilter, page: PagePlace) =>
  pageOf(
    db
      .selectFrom('capability_reports')
      .$if(status !== undefined, (query) => query.where('status', '=', status ?? ''))
      .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? ''))
      .$if(capability_ids !== null, (query) => query.where('capability_id', 'in', [...(capability_ids ?? []), '']))
      .$if(reporter_id !== null, (query) => query.where('reporter_id', '=', reporter_id)),
    page,
    (of) => of.selectAll().orderBy('created_at').orderBy('id'),
  );

export const reportsOf = (db: Db, reporter_id: string): Promise<CapabilityReportRow[]> =>
  db
    .selectFrom('capability_reports')
    .selectAll()
    .where('reporter_id', '=', reporter_id)
    .orderBy('created_at')
    .execute();

export const countReportsSince = (db: Db, reporter_id: string, since: string): Promise<number> =>
  countOf(db.selectFrom('capability_reports').where('reporter_id', '=', reporter_id).where('created_at', '>', since));

/** Deletes the text of a deleted account's reports. Their existence and outcome stay. */
export async function forgetReportsOf(trx: Db, reporter_id: string): Promise<void> {
  await trx
    .updateTable('capability_reports')
    .set({ text: '', reporter_id: null })
    .where('reporter_id', '=', reporter_id)
    .execute();
}
