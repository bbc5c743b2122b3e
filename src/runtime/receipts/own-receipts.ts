import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import type { OwedReceiptRow, ReceiptRow } from '#core/db/schema-execution.ts';
import type { OwedFacts, OwedOutcome } from './owed-receipts.ts';
import type { RunStatement } from './statement.ts';

/** The receipts of a user, newest first, with those that are still to be signed. Ids ascend with time. */

interface OwnReceipt {
  id: string;
  /** What ran: the subject of the receipt. */
  name: string;
  /** Of a tool call: its server, `listing/…`, `connection/<id>` or an address, and its tool. */
  tool: { server: string; name: string } | null;
  status: RunStatement['predicate']['status'] | 'running';
  reason: string | null;
  started_at: string;
  finished_at: string | null;
}

interface Asked {
  user_id: string;
  /** Only older ones than this. */
  before: string | null;
  limit: number;
}

/** One more than `limit` is asked for, so that the reader knows whether there are more. */
export async function listOwnReceipts(db: Kysely<Schema>, { user_id, before, limit }: Asked): Promise<OwnReceipt[]> {
  // One after the other: what is signed in between is then found twice instead of never.
  const owed = await db
    .selectFrom('owed_receipts')
    .select(['id', 'facts', 'outcome'])
    .where('user_id', '=', user_id)
    .$if(before !== null, (query) => query.where('id', '<', before ?? ''))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  const signed = await db
    .selectFrom('receipts')
    .select(['id', 'envelope'])
    .where('user_id', '=', user_id)
    .$if(before !== null, (query) => query.where('id', '<', before ?? ''))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  const all = new Map([...owed.map(owedReceipt), ...signed.map(signedReceipt)].map((found) => [found.id, found]));
  return [...all.values()].sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, limit);
}

function signedReceipt({ id, envelope }: Pick<ReceiptRow, 'id' | 'envelope'>): OwnReceipt {
  const { payload } = JSON.parse(envelope) as { payload: string };
  const { subject, predicate } = JSON.parse(Buffer.from(payload, 'base64').toString('utf8')) as RunStatement;
  const name = subject[0]?.name ?? '';
  const { status, reason = null, started_at, finished_at } = predicate;
  return { id, name, tool: toolOf(name, predicate), status, reason, started_at, finished_at };
}

function owedReceipt({ id, facts, outcome }: Pick<OwedReceiptRow, 'id' | 'facts' | 'outcome'>): OwnReceipt {
  const { subject, predicate } = JSON.parse(facts) as OwedFacts;
  const ended = outcome === null ? null : (JSON.parse(outcome) as OwedOutcome);
  return {
    id,
    name: subject.name,
    tool: toolOf(subject.name, predicate),
    status: ended?.status ?? 'running',
    reason: ended?.reason ?? null,
    started_at: predicate.started_at,
    finished_at: ended?.finished_at ?? null,
  };
}

/** The subject of a task that calls a tool of a connection has its id. */
const OF_CONNECTION = /^(connection\/[^/]{1,100})\/(.+)@[^@]{0,200}$/s;

function toolOf(name: string, predicate: object): OwnReceipt['tool'] {
  if ('tool' in predicate) {
    const { server, name: tool } = predicate.tool as { server: string; name: string };
    return { server, name: tool };
  }
  const [, server, tool] = OF_CONNECTION.exec(name) ?? [];
  return server === undefined || tool === undefined ? null : { server, name: tool };
}
