import { type Kysely, sql } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import type { AuditRow } from '#core/db/schema-audit.ts';
import type { Origin } from '#core/http/operation.ts';
import { networkOf } from '#core/outbound/network-of.ts';
import type { AuditAction } from './actions.ts';
import { chained, hashAt } from './chain.ts';
import { countRepeated } from './tallies.ts';

/**
 * The audit log: the only SQL that inserts into and reads `audit_log`. It identifies accounts by id only, because
 * entries outlive the accounts.
 */

type Db = Kysely<Schema>;
export type AuditEntry = Omit<AuditRow, 'detail'> & { detail: Record<string, unknown> };

/** An operator who runs commands on the host. */
export const OPERATOR_CLI = 'operator-cli';
/** The service itself: its jobs and its startup. */
export const SERVICE_ITSELF = 'service';
/** A client that failed to authenticate. */
export const NOBODY = 'nobody';

/** The actor, and where their request came from. */
export interface By {
  /** A user id, or one of the constants above. */
  actor: string;
  /** Omitted if no request caused the action. */
  origin?: Origin | undefined;
}

export interface NewAuditEntry extends By {
  action: AuditAction;
  /** Id of the affected object. */
  target: string;
  /** Must not contain names, addresses or secrets. */
  detail?: Record<string, unknown>;
  /** Why an operator did it. It is kept beside the chain, and such an entry is never counted instead of written. */
  reason?: string | undefined;
  /** Default: `done`. */
  outcome?: 'done' | 'refused';
}

/**
 * Call it in the transaction of the change, so that the change and its entry are committed together, and last, because
 * every other writer of an entry waits for the commit. If `db` is not a transaction, the entry gets its own. Entries
 * that repeat within an hour are counted instead and become one entry when the hour is over.
 */
export async function recordAudit(db: Db, entry: NewAuditEntry, now: string): Promise<void> {
  if (!db.isTransaction) return db.transaction().execute((trx) => recordAudit(trx, entry, now));
  const { actor, action, target, detail = {}, outcome = 'done', origin, reason } = entry;
  const address = origin === undefined ? null : networkOf(origin.address);
  const happening = { actor, action, target, outcome, address, is_anonymous: actor === NOBODY };
  if (reason === undefined && !TRUSTED.includes(actor) && (await countRepeated(db, happening, now))) return;
  const seq = await appendAudit(db, { ...happening, detail, request_id: origin?.request_id ?? null }, now);
  if (reason !== undefined) await db.insertInto('audit_reasons').values({ seq, reason }).execute();
}

/** Their entries are never counted instead of written: the operator controls how many there are. */
const TRUSTED = [OPERATOR_CLI, SERVICE_ITSELF];

interface WholeAuditEntry extends Pick<NewAuditEntry, 'actor' | 'action' | 'target'> {
  outcome: 'done' | 'refused';
  detail: object;
  /** The client's network. */
  address: string | null;
  request_id: string | null;
}

/** Appends one entry to the chain in this transaction. Returns its number. */
export async function appendAudit(trx: Db, entry: WholeAuditEntry, now: string): Promise<number> {
  const { actor, action, target, detail, outcome, address, request_id } = entry;
  const { value: seq } = await trx
    .updateTable('change_counters')
    .set({ value: sql<number>`value + 1` })
    .where('name', '=', 'audit')
    .returning('value')
    .executeTakeFirstOrThrow();
  const row = { seq, at: now, actor, action, target, detail: JSON.stringify(detail), outcome, request_id, address };
  await trx
    .insertInto('audit_log')
    .values({ ...row, hash: chained(await hashAt(trx, seq - 1), row) })
    .execute();
  return seq;
}

export interface AuditFilter {
  /** Matches the actor or the target. */
  user_id?: string | undefined;
  actor?: string | undefined;
  /** One of these. */
  actions?: readonly string[] | undefined;
  /** ISO times. */
  since?: string | undefined;
  until?: string | undefined;
  /** Entries after this sequence number. */
  after?: number | undefined;
}

const PAGE_SIZE = 500;

/** Yields entries oldest first and reads them page by page. */
export async function* listAudit(db: Db, filter: AuditFilter = {}): AsyncGenerator<AuditEntry> {
  for await (const rows of pagesOf(db, filter))
    for (const row of rows) yield { ...row, detail: JSON.parse(row.detail) };
}

export type ReasonedEntry = AuditEntry & { reason: string | null };

/** As `listAudit`, with the reasons of operators. */
export async function* listReasoned(db: Db, filter: AuditFilter): AsyncGenerator<ReasonedEntry> {
  for await (const rows of pagesOf(db, filter)) yield* await withReasons(db, rows);
}

async function* pagesOf(db: Db, filter: AuditFilter): AsyncGenerator<AuditRow[]> {
  for (let after = filter.after ?? 0; ; ) {
    const rows = await matching(db, filter).where('seq', '>', after).orderBy('seq').limit(PAGE_SIZE).execute();
    yield rows;
    if (rows.length < PAGE_SIZE) return;
    after = rows.at(-1)?.seq as number;
  }
}

/** Newest first, with the reasons of operators. */
export async function newestAudit(
  db: Db,
  filter: AuditFilter,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<ReasonedEntry[]> {
  const rows = await matching(db, filter)
    .$if(before !== undefined, (query) => query.where('seq', '<', before ?? 0))
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute();
  return withReasons(db, rows);
}

const matching = (db: Db, { user_id, actor, actions, since, until }: AuditFilter) =>
  db
    .selectFrom('audit_log')
    .selectAll()
    .$if(since !== undefined, (query) => query.where('at', '>=', since ?? ''))
    .$if(until !== undefined, (query) => query.where('at', '<', until ?? ''))
    .$if(actor !== undefined, (query) => query.where('actor', '=', actor ?? ''))
    .$if(actions !== undefined, (query) => query.where('action', 'in', [...(actions ?? []), '']))
    .$if(user_id !== undefined, (query) =>
      query.where((eb) => eb.or([eb('actor', '=', user_id ?? ''), eb('target', '=', user_id ?? '')])),
    );

async function withReasons(db: Db, rows: readonly AuditRow[]): Promise<ReasonedEntry[]> {
  const found = await db
    .selectFrom('audit_reasons')
    .selectAll()
    .where('seq', 'in', [...rows.map(({ seq }) => seq), 0])
    .execute();
  const reasons = new Map(found.map(({ seq, reason }) => [seq, reason]));
  return rows.map((row) => ({ ...row, detail: JSON.parse(row.detail), reason: reasons.get(row.seq) ?? null }));
}

/** Deletes what operators wrote about an account. The entries stay. */
export async function forgetReasonsAbout(trx: Db, user_id: string): Promise<void> {
  await trx
    .deleteFrom('audit_reasons')
    .where('seq', 'in', (eb) => eb.selectFrom('audit_log').select('seq').where('target', '=', user_id))
    .execute();
}
