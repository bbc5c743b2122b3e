import type { Kysely } from 'kysely';
import { removeOldest } from '../../platform/db/remove-oldest.ts';
import type { Schema, SpanRow } from '../../platform/db/schema.ts';
import { type StoredSpan, spansBelow } from './span.ts';

/** The only SQL that names `spans`. */

/** A span that is already there stays as it is, so a repeated export does no harm. */
export async function insertSpans(db: Kysely<Schema>, spans: readonly StoredSpan[]): Promise<void> {
  if (spans.length === 0) return;
  const rows: SpanRow[] = spans.map((span) => ({
    ...span,
    user_id: span.user_id ?? null,
    attributes: JSON.stringify(span.attributes),
    events: JSON.stringify(span.events),
  }));
  await db
    .insertInto('spans')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['trace_id', 'span_id']).doNothing())
    .execute();
}

/**
 * In order of their start; empty for an unknown trace. With `root`, that span and those below it only: whoever starts a
 * run may name a trace, so what else stands in it may be another user's.
 */
export async function listSpans(db: Kysely<Schema>, trace_id: string, root?: string): Promise<StoredSpan[]> {
  const rows = await db
    .selectFrom('spans')
    .selectAll()
    .where('trace_id', '=', trace_id)
    .orderBy('started_at')
    .orderBy('span_id')
    .execute();
  const spans = rows.map(spanOf);
  return root === undefined ? spans : spansBelow(spans, root);
}

/** Of one user's runs: those of this trace in order of their start, or the newest of all. At most `most`. */
export async function listSpansOf(
  db: Kysely<Schema>,
  { user_id, trace_id }: { user_id: string; trace_id?: string },
  most: number,
): Promise<StoredSpan[]> {
  const own = db.selectFrom('spans').selectAll().where('user_id', '=', user_id).limit(most);
  const rows =
    trace_id === undefined
      ? await own.orderBy('started_at', 'desc').execute()
      : await own.where('trace_id', '=', trace_id).orderBy('started_at').orderBy('span_id').execute();
  return rows.map(spanOf);
}

export const deleteSpansOf = async (trx: Kysely<Schema>, user_id: string): Promise<void> =>
  void (await trx.deleteFrom('spans').where('user_id', '=', user_id).execute());

const spanOf = ({ user_id: _, ...row }: SpanRow): StoredSpan => ({
  ...row,
  kind: row.kind as StoredSpan['kind'],
  status: row.status as StoredSpan['status'],
  attributes: JSON.parse(row.attributes),
  events: JSON.parse(row.events),
});

/** The oldest of those that began before this time, at most `most`. Answers how many those were. */
export const deleteSpansBefore = (db: Kysely<Schema>, time: string, most: number): Promise<number> =>
  removeOldest(db, { table: 'spans', key: ['trace_id', 'span_id'], time: 'started_at' }, time, most);
