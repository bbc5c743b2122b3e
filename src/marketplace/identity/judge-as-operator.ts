import { capabilityOf, findCapability } from '#catalog/identity/capabilities.ts';
import { regroup } from '#catalog/identity/clustering.ts';
import { judgementsAt, nextSeq, pointingTo, saveCapabilities, saveJudgements } from '#catalog/identity/store.ts';
import type { Connection } from '#core/db/connection.ts';
import type { CapabilityRow } from '#core/db/schema-capabilities.ts';
import { newId } from '#core/ids.ts';
import { Problem } from '#core/problem/problem.ts';
import { capabilityUnknown, notFound, statusUnchanged } from '#marketplace/listings/refusals.ts';

/** What operators judge of capabilities, in a transaction of the caller's. It stands above all evidence until it is judged anew. */

type Db = Pick<Connection, 'query'>;

export interface Order {
  actor: string;
  reason: string;
  now: string;
}

/** All members of both are one from now on. Answers the ids of the two that were judged. */
export async function mergeCapabilities(db: Db, id: string, other_id: string, order: Order): Promise<[string, string]> {
  const seq = await nextSeq(db);
  const [one, other] = [await standing(db, id), await standing(db, other_id)];
  if (one === null) throw notFound();
  if (other === null) throw capabilityUnknown('/with', 'Capability not found.');
  if (one.id === other.id) throw statusUnchanged('These capabilities are already merged.');
  if (one.listing_type !== other.listing_type)
    throw new Problem(
      'conflict',
      'marketplace.type_differs',
      `One is a ${one.listing_type}, the other a ${other.listing_type}. Only capabilities of the same type can be merged.`,
    );
  const [ours, theirs] = [await membersOfGroup(db, one.id), await membersOfGroup(db, other.id)];
  // What parted any two of them before is taken back with it.
  const parted = (await judgementsAt(db, [...ours, ...theirs])).filter((it) => it.is_same === 0);
  const pairs = parted
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

/** The member is none of its group any more. Answers its id. */
export async function splitCapability(
  db: Db,
  id: string,
  member: { provider: string; external_id: string },
  order: Order,
): Promise<string> {
  const seq = await nextSeq(db);
  const whole = await standing(db, id);
  if (whole === null) throw notFound();
  const row = await capabilityOf(db, member.provider, member.external_id);
  if (row === null || row.is_live === 0 || row.stands_id !== whole.id)
    throw capabilityUnknown('/member', 'The capability has no such member. Ids are case-sensitive.');
  const rest = (await membersOfGroup(db, whole.id)).filter((it) => it !== row.id);
  if (rest.length === 0) throw statusUnchanged('The capability has no other members.');
  await judge(
    db,
    rest.map((it): [string, string] => [row.id, it]),
    0,
    order,
  );
  const changed = await regroup(db, [row.id, ...rest], { touched: [row.id, whole.id] });
  await saveCapabilities(db, changed, { seq, now: order.now });
  return row.id;
}

/** What stands for the id, where its listing or another of its group is there. */
async function standing(db: Db, id: string): Promise<CapabilityRow | null> {
  const row = id.includes('\0') ? undefined : await findCapability(db, id);
  if (row === undefined) return null;
  const stands = row.stands_id === row.id ? row : await findCapability(db, row.stands_id);
  return stands === undefined || stands.is_live === 0 ? null : stands;
}

const membersOfGroup = async (db: Db, stands_id: string): Promise<string[]> =>
  (await pointingTo(db, [stands_id])).filter((it) => it.is_live === 1).map(({ id }) => id);

const judge = (db: Db, pairs: readonly (readonly [string, string])[], is_same: 0 | 1, { actor, reason, now }: Order) =>
  saveJudgements(
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
