import type { Kysely } from 'kysely';
import { sha256 } from '#core/crypto/sha256.ts';
import type { Schema } from '#core/db/schema.ts';
import type { AuditRow } from '#core/db/schema-audit.ts';

/** Each entry's hash covers the entry and the previous hash. */

type Db = Kysely<Schema>;

/** SHA-256 in hex over the JSON array of the previous hash and the columns of the row. */
export function chained(before: string, row: Omit<AuditRow, 'hash'>): string {
  const { seq, at, actor, action, target, detail, outcome, request_id, address } = row;
  return sha256(JSON.stringify([before, seq, at, actor, action, target, detail, outcome, request_id, address]));
}

/** Returns the hash of the entry with this number, even if it has expired, or '' if it never existed. */
export async function hashAt(db: Db, seq: number): Promise<string> {
  const row =
    (await db.selectFrom('audit_log').select('hash').where('seq', '=', seq).executeTakeFirst()) ??
    (await db.selectFrom('audit_anchors').select('hash').where('seq', '=', seq).executeTakeFirst());
  return row?.hash ?? '';
}

export interface Head {
  seq: number;
  hash: string;
}

interface ChainVerdict {
  /** How many entries were checked, and how many of them are older than the chain. */
  entries: number;
  unchained: number;
  /** Problems in the order of sequence numbers; empty if the chain is intact. */
  faults: string[];
  head: Head;
}

const PAGE_SIZE = 1_000;
const MOST_FAULTS = 20;

/** `noted` is a head that was recorded earlier: the chain must contain it. */
export async function verifyChain(db: Db, noted?: Head): Promise<ChainVerdict> {
  const anchor = await db.selectFrom('audit_anchors').selectAll().orderBy('seq', 'desc').limit(1).executeTakeFirst();
  const verdict: ChainVerdict = { entries: 0, unchained: 0, faults: [], head: { seq: 0, hash: '' } };
  let before: Head = anchor ?? verdict.head;
  for await (const row of rowsAfter(db, before.seq)) {
    verdict.entries++;
    if (row.seq !== before.seq + 1) verdict.faults.push(`entries between ${before.seq} and ${row.seq} are missing`);
    else if (row.hash === '' && before.hash === '') verdict.unchained++;
    else if (row.hash !== chained(before.hash, row)) verdict.faults.push(`entry ${row.seq} was modified`);
    if (noted?.seq === row.seq && noted.hash !== row.hash)
      verdict.faults.push(`entry ${row.seq} does not match the noted hash`);
    before = row;
  }
  const newest = await db.selectFrom('change_counters').select('value').where('name', '=', 'audit').executeTakeFirst();
  if (before.seq !== newest?.value) verdict.faults.push(`entries after ${before.seq} are missing`);
  if (noted !== undefined && noted.seq > before.seq) verdict.faults.push(`noted entry ${noted.seq} is missing`);
  verdict.faults.splice(MOST_FAULTS);
  return { ...verdict, head: { seq: before.seq, hash: before.hash } };
}

async function* rowsAfter(db: Db, seq: number): AsyncGenerator<AuditRow> {
  for (let after = seq; ; ) {
    const rows = await db
      .selectFrom('audit_log')
      .selectAll()
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(PAGE_SIZE)
      .execute();
    yield* rows;
    if (rows.length < PAGE_SIZE) return;
    after = rows.at(-1)?.seq as number;
  }
}
