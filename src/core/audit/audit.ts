import { type Kysely, sql } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import type { AuditRow } from '#core/db/schema-audit.ts';
import type { Origin } from '#core/http/operation.ts';
import { networkOf } from '#core/outbound/network-of.ts';
import type { AuditAction } from './actions.ts';
import { chained, hashAt } from './chain.ts';
import { countRepeated } from './tallies.ts';

/** The audit log: the only SQL that adds to and reads `audit_log`. Names accounts by id alone, because it outlives them. */

type Db = Kysely<Schema>;
export type AuditEntry = Omit<AuditRow, 'detail'> & { detail: Record<string, unknown> };

/** Whoever works on the machine itself. */
export const OPERATOR_CLI = 'operator-cli';
/** The service of its own accord: its jobs, and its start. */
export const SERVICE_ITSELF = 'service';
/** Whoever tried in vain to be somebody. */
export const NOBODY = 'nobody';

/** Who does something, and where the request for it came from. */
export interface By {
  /** A user id, or one of the above. */
  actor: string;
  /** Left out where no request asked for it. */
  origin?: Origin | undefined;
}

export interface NewAuditEntry extends By {
  action: AuditAction;
  /** What it was done to, by id. */
  target: string;
  /** Never names, addresses or secrets. */
  detail?: Record<string, unknown>;
  /** `done` where left out. */
  outcome?: 'done' | 'refused';
}

/**
 * In the transaction of what was done, so that neither is there without the other; and last in it, because everybody who
 * writes an entry waits for its end. In one of its own where `db` is none. What is repeated within an hour is counted instead, and
 * becomes one entry when the hour is over.
 */
export async function recordAudit(db: Db, entry: NewAuditEntry, now: string): Promise<void> {
  if (!db.isTransaction) return db.transaction().execute((trx) => recordAudit(trx, entry, now));
  const { actor, action, target, detail = {}, outcome = 'done', origin } = entry;
  const address = origin === undefined ? null : networkOf(origin.address);
  const happening = { actor, action, target, outcome, address, is_anonymous: actor === NOBODY };
  if (!TRUSTED.includes(actor) && (await countRepeated(db, happening, now))) return;
  await appendAudit(db, { ...happening, detail, request_id: origin?.request_id ?? null }, now);
}

/** They are the operator's own, and bounded by what they do. */
const TRUSTED = [OPERATOR_CLI, SERVICE_ITSELF];

export interface WholeAuditEntry extends Pick<NewAuditEntry, 'actor' | 'action' | 'target'> {
  outcome: 'done' | 'refused';
  detail: object;
  /** The network. */
  address: string | null;
  request_id: string | null;
}

/** One entry at the end of the chain, in this transaction, whatever came before it. */
export async function appendAudit(trx: Db, entry: WholeAuditEntry, now: string): Promise<void> {
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
}

export interface AuditFilter {
  /** As the one who did it, or the one it was done to. */
  user_id?: string | undefined;
  actor?: string | undefined;
  action?: string | undefined;
  /** ISO time. */
  since?: string | undefined;
  /** After this number. */
  after?: number | undefined;
}

const PAGE_SIZE = 500;

/** Oldest first, read page by page. */
export async function* listAudit(db: Db, filter: AuditFilter = {}): AsyncGenerator<AuditEntry> {
  const { user_id, actor, action, since } = filter;
  for (let after = filter.after ?? 0; ; ) {
    let query = db.selectFrom('audit_log').selectAll().where('seq', '>', after);
    if (since !== undefined) query = query.where('at', '>=', since);
    if (actor !== undefined) query = query.where('actor', '=', actor);
    if (action !== undefined) query = query.where('action', '=', action);
    if (user_id !== undefined)
      query = query.where((eb) => eb.or([eb('actor', '=', user_id), eb('target', '=', user_id)]));
    const rows = await query.orderBy('seq').limit(PAGE_SIZE).execute();
    for (const row of rows) yield { ...row, detail: JSON.parse(row.detail) };
    if (rows.length < PAGE_SIZE) return;
    after = rows.at(-1)?.seq as number;
  }
}
