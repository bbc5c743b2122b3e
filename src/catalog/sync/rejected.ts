import { hash } from 'node:crypto';
import type { Kysely } from 'kysely';
import { chunks } from '#catalog/items/items.ts';
import { storable } from '#catalog/items/listing-row.ts';
import { countOf, type FoundPage, type PagePlace, pageOf } from '#core/db/pages.ts';
import type { RejectedRow, Schema } from '#core/db/schema.ts';
import type { Adapted } from './provider.ts';

/** Invalid records with the reason: the only SQL that names `rejected_records`. */

type Db = Kysely<Schema>;
export type Rejected = Extract<Adapted, { kind: 'rejected' }>;

const ROWS_PER_INSERT = 500;
const MAX_RAW = 4_096;

export async function saveRejected(
  trx: Db,
  provider_id: string,
  records: Rejected[],
  run: { run_id: string; now: string },
): Promise<void> {
  const rows = new Map(
    records.map((record) => rejectedRow(provider_id, record, run)).map((row) => [row.record_key, row]),
  );
  for (const some of chunks([...rows.values()], ROWS_PER_INSERT)) {
    await trx
      .insertInto('rejected_records')
      .values(some)
      .onConflict((conflict) =>
        conflict.columns(['provider_id', 'record_key']).doUpdateSet((eb) => ({
          reason: eb.ref('excluded.reason'),
          raw: eb.ref('excluded.raw'),
          run_id: eb.ref('excluded.run_id'),
          rejected_at: eb.ref('excluded.rejected_at'),
        })),
      )
      .execute();
  }
}

function rejectedRow(provider_id: string, record: Rejected, run: { run_id: string; now: string }): RejectedRow {
  const raw = storable(JSON.stringify(record.raw) ?? 'null');
  const external_id = record.external_id === null ? null : storable(record.external_id).slice(0, MAX_RAW);
  return {
    provider_id,
    // Hashed, because the id may be too long.
    record_key: hash('sha256', external_id === null ? `raw ${raw}` : `id ${external_id}`, 'hex'),
    external_id,
    reason: storable(record.reason).slice(0, 1_000),
    raw: raw.length > MAX_RAW ? `${raw.slice(0, MAX_RAW).toWellFormed()}…` : raw,
    run_id: run.run_id,
    rejected_at: run.now,
  };
}

/** Deletes the rejected records of earlier runs after a full run. */
export async function clearRejected(trx: Db, provider_id: string, except_run: string): Promise<void> {
  await trx
    .deleteFrom('rejected_records')
    .where('provider_id', '=', provider_id)
    .where('run_id', '<>', except_run)
    .execute();
}

export const listRejected = (
  db: Db,
  { provider, ...page }: PagePlace & { provider?: string | undefined },
): Promise<FoundPage<RejectedRow>> =>
  pageOf(
    db
      .selectFrom('rejected_records')
      .$if(provider !== undefined, (query) => query.where('provider_id', '=', provider as string)),
    page,
    (of) => of.selectAll().orderBy('provider_id').orderBy('record_key'),
  );

export async function rejectedByProvider(db: Db): Promise<[provider_id: string, count: number][]> {
  const rows = await db
    .selectFrom('rejected_records')
    .select((eb) => ['provider_id', eb.fn.countAll<number>().as('count')])
    .groupBy('provider_id')
    .execute();
  return rows.map(({ provider_id, count }) => [provider_id, Number(count)]);
}

export const countRejected = (db: Db, provider_id: string): Promise<number> =>
  countOf(db.selectFrom('rejected_records').where('provider_id', '=', provider_id));
