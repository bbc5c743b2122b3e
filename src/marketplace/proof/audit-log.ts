import { createPublicKey } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import type { ProofRunRow } from '#core/db/schema-proof.ts';
import { openCheckpoint } from '#runtime/receipts/checkpoint.ts';
import { openEnvelope } from '#runtime/receipts/dsse.ts';
import { newestCheckpoint } from '#runtime/receipts/log.ts';
import { type LoggedReceipt, listedReceipts } from '#runtime/receipts/log-entries.ts';
import { treeBuilder } from '#runtime/receipts/merkle.ts';
import type { PublishedKey } from '#runtime/receipts/receipt-keys.ts';
import { PAYLOAD_TYPE } from '#runtime/receipts/statement.ts';
import { ownersOfRuns, rowOf } from './read-log.ts';
import { type Commitment, whoseRun } from './whose-run.ts';

/** Reads the whole receipts log and verifies each signature and the tree. */

interface AuditedLog {
  size: number;
  rows: ProofRunRow[];
  /** Faults of the log itself, one sentence each. */
  faults: string[];
}

interface AuditLogDeps {
  db: Kysely<Schema>;
  commitment: Commitment;
  keys: readonly PublishedKey[];
}

const A_PAGE = 500;

export async function auditLog({ db, commitment, keys }: AuditLogDeps): Promise<AuditedLog> {
  const whose = whoseRun(db, commitment);
  const checkpoint = await newestCheckpoint(db);
  const byId = new Map(keys.map((key) => [key.kid, createPublicKey({ key: { ...key }, format: 'jwk' })]));
  const tree = treeBuilder();
  const faults: string[] = [];
  const rows: ProofRunRow[] = [];
  const noted = checkpoint === undefined ? null : openedBy(checkpoint.note, [...byId.values()]);
  if (checkpoint !== undefined && noted === null)
    faults.push('The latest checkpoint is not signed by a key of this service.');
  for await (const { receipt, owner } of receiptsWithOwners(db)) {
    if (receipt.leaf_index !== tree.size()) {
      faults.push(`Entry ${tree.size()} is missing from the log.`);
      return { size: tree.size(), rows, faults };
    }
    const fault = faultIn(receipt, byId);
    const row = fault === null ? await rowOf(receipt, owner, whose) : null;
    if (fault !== null) faults.push(fault);
    if (row !== null) rows.push(row);
    tree.add(Buffer.from(receipt.envelope));
    if (noted?.size === tree.size() && !tree.root().equals(noted.root))
      faults.push(
        `The first ${noted.size} entries do not match the root hash of the checkpoint. At least one was modified.`,
      );
  }
  if (noted !== null && tree.size() < noted.size)
    faults.push(`The checkpoint covers ${noted.size} entries, but the log has ${tree.size()}.`);
  return { size: tree.size(), rows, faults };
}

/** In the order of the log. */
async function* receiptsWithOwners(db: Kysely<Schema>) {
  for (let from = 0; ; from += A_PAGE) {
    const page = await listedReceipts(db, from, A_PAGE);
    const owners = await ownersOfRuns(
      db,
      page.map(({ run_id }) => run_id),
    );
    for (const receipt of page) yield { receipt, owner: owners.get(receipt.run_id) };
    if (page.length < A_PAGE) return;
  }
}

function openedBy(note: string, keys: readonly ReturnType<typeof createPublicKey>[]) {
  for (const key of keys) {
    const opened = openCheckpoint(note, key);
    if (opened !== null) return opened;
  }
  return null;
}

function faultIn(
  { id, envelope, key_id }: LoggedReceipt,
  keys: ReadonlyMap<string, ReturnType<typeof createPublicKey>>,
) {
  const key = keys.get(key_id);
  if (key === undefined) return `Receipt ${id} is signed with an unknown key.`;
  const dsse = JSON.parse(envelope);
  if (dsse.payloadType !== PAYLOAD_TYPE || openEnvelope(dsse, key) === null)
    return `Receipt ${id} does not match its signature.`;
  return null;
}
