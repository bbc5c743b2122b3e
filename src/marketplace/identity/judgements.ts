import { capabilityOf, findCapability } from '#catalog/identity/capabilities.ts';
import { regroup } from '#catalog/identity/clustering.ts';
import { judgementsAt, nextSeq, pointingTo, saveCapabilities, saveJudgements } from '#catalog/identity/store.ts';
import { storable } from '#catalog/items/listing-row.ts';
import { type By, recordAudit } from '#core/audit/audit.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { Connection } from '#core/db/connection.ts';
import { connectionOver } from '#core/db/connection-over.ts';
import type { CapabilityRow } from '#core/db/schema-capabilities.ts';
import { newId } from '#core/ids.ts';
import { marketplaceProblem } from '#marketplace/errors.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import { capabilityUnknown, notFound, statusUnchanged } from '#marketplace/listings/refusals.ts';
import { identityOf } from './identity-of.ts';

/** Merges and splits by operators. They override all evidence until an operator decides otherwise. */

type Db = Pick<Connection, 'query'>;

interface Order {
  actor: string;
  reason: string;
  now: string;
}

interface Judgement {
  action: 'marketplace.merge' | 'marketplace.split';
  target: string;
  reason: string;
}

/** Runs `work`, which returns a capability id, and records it in the audit log, in one transaction. Returns the updated capability. */
export async function judgeAudited(
  { db, engine, clock }: Pick<MarketplaceDeps, 'db' | 'engine' | 'clock'>,
  by: By,
  { action, target, reason }: Judgement,
  work: (db: Db, order: Order) => Promise<string>,
) {
  const { actor } = by;
  const now = isoTime(clock.now());
  return db.transaction().execute(async (trx) => {
    const connection = connectionOver(trx, engine);
    const id = await work(connection, { actor, reason: storable(reason), now });
    await recordAudit(trx, { ...by, action, target, detail: { capability: id } }, now);
    return identityOf(connection, (await findCapability(connection, id))?.stands_id ?? id);
  });
}

/** Merges all members of both, in the caller's transaction. Returns the ids of the two merged capabilities. */
export async function mergeCapabilities(db: Db, id: string, other_id: string, order: Order): Promise<[string, string]> {
  const seq = await nextSeq(db);
  const [one, other] = [await currentCapability(db, id), await currentCapability(db, other_id)];
  if (one === null) throw notFound();
  if (other === null) throw capabilityUnknown('/with', 'Capability not found.');
  if (one.id === other.id) throw statusUnchanged('These capabilities are already merged.');
  if (one.listing_type !== other.listing_type)
    throw marketplaceProblem(
      'marketplace.version_conflict',
      `One is a ${one.listing_type}, the other a ${other.listing_type}. Only capabilities of the same type can be merged.`,
      { reason: 'type_differs' },
    );
  const [ours, theirs] = [await liveIdsOf(db, one.id), await liveIdsOf(db, other.id)];
  // The merge also reverses earlier splits between members of the two.
  const split = (await judgementsAt(db, [...ours, ...theirs])).filter(({ is_same }) => is_same === 0);
  const pairs = split
    .filter(
      ({ a_id, b_id }) =>
        ours.includes(a_id) !== ours.includes(b_id) &&
        [...ours, ...theirs].includes(a_id) &&
        [...ours, ...theirs].includes(b_id),
    )
    .map(({ a_id, b_id }): [string, string] => [a_id, b_id]);
  await judge(db, [...pairs, [one.id, other.id]], 1, order);
  const ids = [one.id, other.id];
  await saveCapabilities(db, await regroup(db, ids, { touched: ids }), { seq, now: order.now });
  return [one.id, other.id];
}

/** Separates a member from all other members of its capability, in the caller's transaction. Returns the member's own id. */
export async function splitCapability(
  db: Db,
  id: string,
  member: { provider: string; external_id: string },
  order: Order,
): Promise<string> {
  const seq = await nextSeq(db);
  const whole = await currentCapability(db, id);
  if (whole === null) throw notFound();
  const row = await capabilityOf(db, member.provider, member.external_id);
  if (row === null || row.is_live === 0 || row.stands_id !== whole.id)
    throw capabilityUnknown('/member', 'The capability has no such member. Ids are case-sensitive.');
  const rest = (await liveIdsOf(db, whole.id)).filter((other) => other !== row.id);
  if (rest.length === 0) throw statusUnchanged('The capability has no other members.');
  await judge(
    db,
    rest.map((other): [string, string] => [row.id, other]),
    0,
    order,
  );
  const changed = await regroup(db, [row.id, ...rest], { touched: [row.id, whole.id] });
  await saveCapabilities(db, changed, { seq, now: order.now });
  return row.id;
}

/** The capability that the id redirects to; null if it has no live members. */
async function currentCapability(db: Db, id: string): Promise<CapabilityRow | null> {
  const row = id.includes('\0') ? undefined : await findCapability(db, id);
  if (row === undefined) return null;
  const current = row.stands_id === row.id ? row : await findCapability(db, row.stands_id);
  return current === undefined || current.is_live === 0 ? null : current;
}

async function liveIdsOf(db: Db, standsId: string): Promise<string[]> {
  return (await pointingTo(db, [standsId])).filter(({ is_live }) => is_live === 1).map(({ id }) => id);
}

function judge(
  db: Db,
  pairs: readonly (readonly [string, string])[],
  is_same: 0 | 1,
  { actor, reason, now }: Order,
): Promise<void> {
  return saveJudgements(
    db,
    pairs.map(([x, y]) => ({
      id: newId(),
      a_id: x < y ? x : y,
      b_id: x < y ? y : x,
      is_same,
      reason,
      actor,
      at: now,
    })),
  );
}
