import { type Kysely, sql } from 'kysely';
import { removeOldest } from '#core/db/remove-oldest.ts';
import type { Schema, SpanRow } from '#core/db/schema.ts';
import { defined } from '#core/defined.ts';
import { sealedAmong } from './sealed-traces.ts';
import { type StoredSpan, spansBelow, stepsBelow } from './span.ts';

/** The only SQL that uses `spans`. */

type Db = Kysely<Schema>;

/**
 * Stores spans. A span that is already stored stays as it is, so a repeated export does no harm. Spans of sealed traces
 * are refused, because a receipt has signed the digest of those traces.
 * @returns how many spans were refused
 */
export async function insertSpans(db: Db, spans: readonly StoredSpan[]): Promise<number> {
  if (spans.length === 0) return 0;
  const sealed = await sealedAmong(db, [...new Set(spans.map(({ trace_id }) => trace_id))]);
  const kept = spans.filter(({ trace_id }) => !sealed.has(trace_id));
  if (kept.length > 0)
    await db
      .insertInto('spans')
      .values(kept.map(rowOf))
      .onConflict((conflict) => conflict.columns(['trace_id', 'span_id']).doNothing())
      .execute();
  return spans.length - kept.length;
}

const rowOf = ({ links, ...span }: StoredSpan): SpanRow => ({
  ...span,
  user_id: span.user_id ?? null,
  attributes: JSON.stringify(span.attributes),
  events: JSON.stringify(span.events),
  link_trace_id: links?.[0].trace_id ?? null,
  link_span_id: links?.[0].span_id ?? null,
});

/**
 * Returns all spans of a trace in order of their start, of any owner; empty for an unknown trace. For internal use
 * only, never for a response.
 */
export async function listSpans(db: Db, trace_id: string): Promise<StoredSpan[]> {
  const rows = await db
    .selectFrom('spans')
    .selectAll()
    .where('trace_id', '=', trace_id)
    .orderBy('started_at')
    .orderBy('span_id')
    .execute();
  return rows.map(spanOf);
}

/**
 * Returns the spans of one run of a user in order of their start. A run from before span owners is found through the
 * task that names it, which the caller has looked up among the user's tasks.
 */
export async function listRunSpans(
  db: Db,
  { user_id, trace_id, span_id }: { user_id: string; trace_id: string; span_id: string },
): Promise<StoredSpan[]> {
  const rows = await db
    .selectFrom('spans')
    .selectAll()
    .where('trace_id', '=', trace_id)
    .where((where) => where.or([where('user_id', '=', user_id), where('user_id', 'is', null)]))
    .orderBy('started_at')
    .orderBy('span_id')
    .execute();
  const isUnowned = rows.some((row) => row.span_id === span_id && row.user_id === null);
  const sameOwner = rows.filter((row) => (row.user_id === null) === isUnowned).map(spanOf);
  return isUnowned ? stepsBelow(sameOwner, span_id) : spansBelow(sameOwner, span_id);
}

/** Returns up to `most` spans of one user: those of this trace in order of their start, or the newest of all. */
export async function listSpansOf(
  db: Db,
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

interface LinkedTrace {
  trace_id: string;
  /** Name of the span that has the link. */
  name: string;
  started_at: string;
}

/** Returns up to `most` traces of one user that link to this trace, newest first. */
export const listTracesLinkedTo = (
  db: Db,
  { user_id, trace_id }: { user_id: string; trace_id: string },
  most: number,
): Promise<LinkedTrace[]> =>
  db
    .selectFrom('spans')
    .select(['trace_id', 'name', 'started_at'])
    .where('link_trace_id', '=', trace_id)
    .where('user_id', '=', user_id)
    .orderBy('started_at', 'desc')
    .limit(most)
    .execute();

export const deleteSpansOf = async (trx: Db, user_id: string): Promise<void> =>
  void (await trx.deleteFrom('spans').where('user_id', '=', user_id).execute());

const spanOf = ({ user_id: _, link_trace_id, link_span_id, ...row }: SpanRow): StoredSpan => ({
  ...row,
  kind: row.kind as StoredSpan['kind'],
  status: row.status as StoredSpan['status'],
  attributes: JSON.parse(row.attributes),
  events: JSON.parse(row.events),
  ...defined({
    links:
      link_trace_id === null || link_span_id === null
        ? undefined
        : [{ trace_id: link_trace_id, span_id: link_span_id }],
  }),
});

/** Deletes up to `most` of one user's oldest spans from before this ISO time. Returns their number. */
export const deleteOldestSpansOf = (
  db: Db,
  { user_id, before }: { user_id: string; before: string },
  most: number,
): Promise<number> =>
  removeOldest(
    db,
    { table: 'spans', key: ['trace_id', 'span_id'], time: 'started_at', only: sql<boolean>`user_id = ${user_id}` },
    before,
    most,
  );

/** Deletes up to `most` of the oldest spans from before this ISO time. Returns their number. */
export const deleteSpansBefore = (db: Db, time: string, most: number): Promise<number> =>
  removeOldest(db, { table: 'spans', key: ['trace_id', 'span_id'], time: 'started_at' }, time, most);
