import { nextCapabilitySeq, touchCapabilities } from '#catalog/identity/capabilities.ts';
import { storable } from '#catalog/items/listing-row.ts';
import { type By, recordAudit } from '#core/audit/audit.ts';
import { isoTime } from '#core/clock/clock.ts';
import { connectionOver } from '#core/db/connection-over.ts';
import type { CapabilityAppealRow } from '#core/db/schema-moderation.ts';
import { newId } from '#core/ids.ts';
import { publisherUserIds } from '#marketplace/claims/publishers-of.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import { foundMeasures } from './found-flags.ts';
import { groupOf, idsOf } from './group.ts';
import { addEntry } from './history.ts';
import { appealsAgainst, insertAppeal, measuresOn } from './measures.ts';
import { appealMade, measureNotFound, notOwner } from './refusals.ts';

interface AppealOrder {
  id: string;
  measure_id: string;
  text: string;
}

/** Makes an appeal of the publisher or claim owner against one action of an operator or against findings. */
export function appeal(
  { db, clock, engine }: Pick<MarketplaceDeps, 'db' | 'clock' | 'engine'>,
  by: By,
  { id, measure_id, text }: AppealOrder,
): Promise<CapabilityAppealRow> {
  const user_id = by.actor;
  return db.transaction().execute(async (trx) => {
    await nextCapabilitySeq(trx);
    const group = await groupOf(trx, id);
    const ids = idsOf(group.members);
    const connection = connectionOver(trx, engine);
    const owners = await publisherUserIds(connection, [group.id]);
    if (owners.get(group.id)?.has(user_id) !== true) throw notOwner();
    const measures = [...(await measuresOn(trx, ids)), ...(await foundMeasures(connection, group.id))];
    const measure = measures.find((measure) => measure.measure_id === measure_id);
    if (measure === undefined) throw measureNotFound();
    const [made] = await appealsAgainst(trx, measure_id, ids);
    if (made !== undefined) throw appealMade(made.status);
    const now = isoTime(clock.now());
    const row = {
      id: newId(),
      measure_id,
      capability_id: measure.capability_id,
      user_id,
      text: storable(text),
      status: 'open',
      outcome: '',
      created_at: now,
      decided_at: null,
    };
    await insertAppeal(trx, row);
    const { kind, rule } = measure;
    await addEntry(trx, {
      capability_id: group.id,
      change: 'appealed',
      actor: 'owner',
      measure_id,
      kind,
      rule,
      at: now,
    });
    await touchCapabilities(trx, ids, clock.now());
    await recordAudit(trx, { ...by, action: 'marketplace.appeal', target: group.id }, now);
    return row;
  });
}
