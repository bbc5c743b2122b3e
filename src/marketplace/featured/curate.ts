import { membersOf, nextCapabilitySeq, touchCapabilities } from '#catalog/identity/capabilities.ts';
import { storable } from '#catalog/items/listing-row.ts';
import { type By, recordAudit } from '#core/audit/audit.ts';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import { connectionOver } from '#core/db/connection-over.ts';
import { coreProblem } from '#core/errors.ts';
import type { Problem } from '#core/problem/problem.ts';
import { marketplaceProblem } from '#marketplace/errors.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import { groupOf, idsOf } from '#marketplace/moderation/group.ts';
import { measuresOn } from '#marketplace/moderation/measures.ts';
import { measureStands } from '#marketplace/moderation/refusals.ts';
import { removeFeatured, setFeatured } from './featured.ts';

/** Capabilities that operators feature manually, each with a reason. */

interface FeatureOrder {
  id: string;
  reason: string;
  /** Lower values come first. */
  position?: number | undefined;
  until?: string | undefined;
}

type Deps = Pick<MarketplaceDeps, 'db' | 'engine'> & { clock: Clock };

/** Returns the id of the current capability. */
export async function feature({ db, engine, clock }: Deps, by: By, order: FeatureOrder): Promise<string> {
  const now = isoTime(clock.now());
  const until = order.until === undefined ? null : new Date(order.until).toISOString();
  if (until !== null && until <= now) throw untilPast();
  return db.transaction().execute(async (trx) => {
    await nextCapabilitySeq(trx);
    const group = await groupOf(trx, order.id);
    const ids = idsOf(group.members);
    const [measure] = await measuresOn(trx, ids);
    if (measure !== undefined) throw measureStands(measure);
    if ((await membersOf(connectionOver(trx, engine), [group.id])).length === 0) throw notShown();
    const row = { capability_id: group.id, origin: 'curated', reason: storable(order.reason) };
    await setFeatured(trx, { ...row, place: order.position ?? 100, since: now, until }, ids);
    await touchCapabilities(trx, ids, clock.now());
    const entry = { ...by, action: 'marketplace.feature', target: group.id, reason: row.reason } as const;
    await recordAudit(trx, entry, now);
    return group.id;
  });
}

export async function unfeature(
  { db, clock }: Omit<Deps, 'engine'>,
  by: By,
  id: string,
  reason?: string,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await nextCapabilitySeq(trx);
    const group = await groupOf(trx, id);
    if ((await removeFeatured(trx, idsOf(group.members), 'curated')) === 0) throw notFeatured();
    await touchCapabilities(trx, idsOf(group.members), clock.now());
    const entry = { ...by, action: 'marketplace.unfeature', target: group.id, reason } as const;
    await recordAudit(trx, entry, isoTime(clock.now()));
  });
}

const untilPast = (): Problem =>
  coreProblem('http.invalid', 'The field until is in the past.', {
    reason: 'input',
    errors: [{ pointer: '/until', detail: 'must be in the future' }],
  });

const notShown = (): Problem =>
  marketplaceProblem(
    'marketplace.moderation_conflict',
    'All listings of this capability were removed. It cannot be featured.',
    { reason: 'no_listing' },
  );

const notFeatured = (): Problem =>
  marketplaceProblem('marketplace.not_found', 'This capability is not featured by an operator.', {
    reason: 'featured',
  });
