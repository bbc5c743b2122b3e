import type { Kysely } from 'kysely';
import { storable } from '#catalog/items/listing-row.ts';
import type { VersionStatus } from '#catalog/items/version.ts';
import { recordAudit } from '#core/audit/audit.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import type { PublishedVersionRow } from '#core/db/schema-publishing.ts';
import { deleteContents } from '#marketplace/listings/contents.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import { listingGone } from '#marketplace/listings/listing-gone.ts';
import {
  changeListing,
  changeVersions,
  findListing,
  insertChanges,
  listChanges,
  listVersions,
  nextChange,
} from '#marketplace/listings/listings.ts';
import { heldBack, notFound, notYours, statusUnchanged, versionNotFound } from '#marketplace/listings/refusals.ts';
import type { Publishing } from './publish-version.ts';

/** Deprecates, yanks, unpublishes and restores versions, each with a public reason. */

const WITHDRAWALS = {
  unpublish: { status: 'unpublished', from: ['live', 'deprecated', 'yanked'] },
  yank: { status: 'yanked', from: ['live', 'deprecated'] },
  deprecate: { status: 'deprecated', from: ['live'] },
  // Unpublished versions cannot be restored, because their files are deleted.
  restore: { status: 'live', from: ['deprecated', 'yanked'] },
} as const satisfies Record<string, { status: VersionStatus; from: readonly VersionStatus[] }>;
type Withdrawal = keyof typeof WITHDRAWALS;

export interface WithdrawOrder {
  id: string;
  change: Withdrawal;
  /** All versions if omitted. */
  version?: string | undefined;
  reason: string;
}

/** Returns the changed versions. */
export async function withdraw(deps: MarketplaceDeps, by: Publishing, order: WithdrawOrder): Promise<string[]> {
  const changed = await deps.db.transaction().execute(async (trx) => {
    const seq = await nextChange(trx);
    const listing = await findListing(trx, order.id);
    if (listing === undefined) throw notFound();
    const isOwn = listing.publisher_user_id === by.user_id;
    if (!isOwn && !by.is_operator) throw notYours();
    const versions = await listVersions(trx, [listing.id]);
    if (listing.status === 'unpublished') throw listingGone(listing, versions);
    const held =
      order.change === 'restore' && !by.is_operator ? await heldByOperator(trx, listing.id) : new Set<string>();
    const chosen = choose(versions, order, held);
    const at = isoTime(deps.clock.now());
    const about = { seq, actor: isOwn ? 'publisher' : 'operator', reason: storable(order.reason), at };
    await change(trx, listing.id, order.change, chosen, about);
    const entry = { actor: by.user_id, origin: by.origin, target: listing.id, detail: { versions: chosen } };
    await recordAudit(trx, { ...entry, action: `marketplace.${order.change}` }, at);
    return chosen;
  });
  await Promise.all([deps.published_cache.refresh(), deps.index.refresh()]);
  return changed;
}

/** Versions last withdrawn by an operator, which only an operator can restore. */
async function heldByOperator(trx: Kysely<Schema>, listingId: string): Promise<Set<string>> {
  const last = new Map(
    (await listChanges(trx, listingId)).map((publishedChangeRow) => [
      publishedChangeRow.version,
      publishedChangeRow.actor,
    ]),
  );
  return new Set([...last].filter(([, actor]) => actor === 'operator').map(([version]) => version));
}

function choose(
  versions: readonly PublishedVersionRow[],
  { change, version }: WithdrawOrder,
  held: ReadonlySet<string>,
): string[] {
  const from: readonly string[] = WITHDRAWALS[change].from;
  const asked = versions.filter(
    (publishedVersionRow) => version === undefined || publishedVersionRow.version === version,
  );
  if (version !== undefined && asked.length === 0) throw versionNotFound(version);
  const fitting = asked
    .filter(({ status }) => from.includes(status))
    .map((publishedVersionRow) => publishedVersionRow.version);
  const chosen = fitting.filter((version) => !held.has(version));
  if (chosen.length === 0 && fitting.length > 0) throw heldBack();
  if (chosen.length === 0)
    throw statusUnchanged(
      version === undefined ? `No version is left to ${change}.` : `Version ${version} is ${asked[0]?.status} already.`,
    );
  return chosen;
}

interface About {
  seq: number;
  actor: string;
  reason: string;
  at: string;
}

/** Call it in a transaction that has taken a change number. */
export async function change(
  trx: Kysely<Schema>,
  listing_id: string,
  withdrawal: Withdrawal,
  versions: readonly string[],
  { seq, actor, reason, at }: About,
): Promise<void> {
  const { status } = WITHDRAWALS[withdrawal];
  await changeVersions(trx, listing_id, versions, {
    status,
    status_reason: status === 'live' ? '' : reason,
    status_at: at,
  });
  const whole = withdrawal === 'unpublish' ? { status, status_reason: reason } : {};
  await changeListing(trx, listing_id, { ...whole, seq, updated_at: at });
  // Files are deleted, for instance leaked secrets. Digests stay, so that receipts remain resolvable.
  if (withdrawal === 'unpublish') await deleteContents(trx, listing_id);
  await insertChanges(
    trx,
    versions.map((version) => ({ listing_id, seq, version, change: withdrawal, actor, reason, at })),
  );
}
