import { type Kysely, sql } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import type { ReceiptRow } from '#core/db/schema-execution.ts';
import { signCheckpoint } from './checkpoint.ts';
import { type Hash, joinRight, leafHash, type NodeAt, nodeHash, type ProofStep, wholeSubtrees } from './merkle.ts';
import type { SigningPair } from './receipt-key.ts';

/** The Merkle log in the database: the only SQL that names `log_nodes` and `log_checkpoints`. */

type Db = Kysely<Schema>;
/** Rows of one statement: engines cap its parameters. */
const CHUNK = 500;

/** The number of entries. `lock` prevents others from appending until the transaction ends. */
async function lockSize(trx: Db): Promise<number> {
  const { value } = await trx
    .updateTable('change_counters')
    .set((eb) => ({ value: eb.ref('value') }))
    .where('name', '=', 'receipt_log')
    .returning('value')
    .executeTakeFirstOrThrow();
  return value;
}

interface Appended {
  size: number;
  root: Hash;
}

/** Appends entries in one transaction, which `lockSize` has begun. */
async function append(trx: Db, size: number, leaves: readonly Hash[]): Promise<Appended> {
  const edge = wholeSubtrees(0, size);
  const known = await readNodes(trx, edge);
  const stack = edge.map((at) => ({ ...at, hash: hashAt(known, at) }));
  const fresh: (NodeAt & { hash: Hash })[] = [];
  for (const [offset, leaf] of leaves.entries()) {
    let node = { level: 0, position: size + offset, hash: leaf };
    fresh.push(node);
    for (let left = stack.at(-1); left?.level === node.level; left = stack.at(-1)) {
      stack.pop();
      node = { level: node.level + 1, position: (node.position - 1) / 2, hash: nodeHash(left.hash, node.hash) };
      fresh.push(node);
    }
    stack.push(node);
  }
  for (let at = 0; at < fresh.length; at += CHUNK)
    await trx
      .insertInto('log_nodes')
      .values(fresh.slice(at, at + CHUNK).map((nodeAt) => ({ ...nodeAt, hash: nodeAt.hash.toString('base64') })))
      .execute();
  const grown = size + leaves.length;
  await trx.updateTable('change_counters').set({ value: grown }).where('name', '=', 'receipt_log').execute();
  return { size: grown, root: joinRight(stack.map((entry) => entry.hash)) };
}

interface LogOptions {
  db: Db;
  origin: string;
  now: string;
  /** The key of this id, for a checkpoint that it signs. */
  pair(id: string): Promise<SigningPair>;
  most: number;
}

/**
 * Takes up to `most` receipts that are signed but not in the log into it, and signs a checkpoint by each of their
 * keys. Safe to call from any number of processes. Answers how many it took.
 */
export async function logReceipts({ db, origin, now, pair, most }: LogOptions): Promise<number> {
  const ids = await waitingKeys(db);
  if (ids.length === 0) return 0;
  // Looked up before the transaction: with a single connection, a query inside it would deadlock.
  const pairs = new Map(await Promise.all(ids.map(async (id) => [id, await pair(id)] as const)));
  return db.transaction().execute(async (trx) => {
    const size = await lockSize(trx);
    const waiting = await trx
      .selectFrom('receipts')
      .select(['id', 'envelope', 'key_id'])
      .where('leaf_index', 'is', null)
      .where('key_id', 'in', ids)
      .orderBy('created_at')
      .orderBy('id')
      .limit(most)
      .execute();
    if (waiting.length === 0) return 0;
    const grown = await append(
      trx,
      size,
      waiting.map(({ envelope }) => leafHash(Buffer.from(envelope))),
    );
    await number(trx, waiting, size);
    const root = grown.root.toString('base64');
    for (const key_id of new Set(waiting.map((row) => row.key_id))) {
      const note = signCheckpoint({ origin, ...grown }, pairs.get(key_id) as SigningPair);
      await trx
        .insertInto('log_checkpoints')
        .values({ size: grown.size, key_id, root, note, created_at: now })
        .execute();
    }
    return waiting.length;
  });
}

const waitingKeys = async (db: Db): Promise<string[]> =>
  (await db.selectFrom('receipts').select('key_id').distinct().where('leaf_index', 'is', null).execute()).map(
    (row) => row.key_id,
  );

/** Numbers receipts from `first` on, many a statement. */
async function number(trx: Db, receipts: readonly Pick<ReceiptRow, 'id'>[], first: number): Promise<void> {
  for (let at = 0; at < receipts.length; at += CHUNK) {
    const pairs = receipts
      .slice(at, at + CHUNK)
      .map(({ id }, offset) => sql`(CAST(${id} AS TEXT), CAST(${first + at + offset} AS INTEGER))`);
    await sql`UPDATE receipts SET leaf_index = numbered.column2 FROM (VALUES ${sql.join(pairs)}) AS numbered
      WHERE receipts.id = numbered.column1`.execute(trx);
  }
}

type Nodes = Map<string, Hash>;
const nameOf = ({ level, position }: NodeAt): string => `${level}/${position}`;

function hashAt(nodes: Nodes, at: NodeAt): Hash {
  const hash = nodes.get(nameOf(at));
  if (hash === undefined) throw new Error(`The receipt log has no node ${nameOf(at)}.`);
  return hash;
}

async function readNodes(db: Db, wanted: readonly NodeAt[]): Promise<Nodes> {
  if (wanted.length === 0) return new Map();
  const rows = await db
    .selectFrom('log_nodes')
    .selectAll()
    .where((eb) => eb.or(wanted.map(({ level, position }) => eb.and({ level, position }))))
    .execute();
  return new Map(rows.map((row) => [nameOf(row), Buffer.from(row.hash, 'base64')]));
}

/** The hashes of a proof, in base64. */
export async function readProof(db: Db, steps: readonly ProofStep[]): Promise<string[]> {
  const nodes = await readNodes(db, steps.flat());
  return steps.map((step) => joinRight(step.map((at) => hashAt(nodes, at))).toString('base64'));
}

interface StoredCheckpoint {
  size: number;
  note: string;
}

/** The first checkpoint of this key that covers the entry; undefined if none does yet. */
export const checkpointOver = (db: Db, leaf_index: number, key_id: string): Promise<StoredCheckpoint | undefined> =>
  db
    .selectFrom('log_checkpoints')
    .select(['size', 'note'])
    .where('size', '>', leaf_index)
    .where('key_id', '=', key_id)
    .orderBy('size')
    .limit(1)
    .executeTakeFirst();

export const newestCheckpoint = (db: Db): Promise<StoredCheckpoint | undefined> =>
  db
    .selectFrom('log_checkpoints')
    .select(['size', 'note'])
    .orderBy('size', 'desc')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
