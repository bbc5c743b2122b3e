import type { Kysely } from 'kysely';
import { skeletonOf } from '#catalog/search/text/confusable.ts';
import type { Schema } from '#core/db/schema.ts';
import type { PublisherRow } from '#core/db/schema-publishing.ts';
import type { WellKnown } from '#marketplace/claims/well-known.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import { findListingLike, findListingNamed, findListingNear, fullName } from '#marketplace/listings/listings.ts';
import { nameAlike, nameReserved, nameTaken, publisherDiffers } from '#marketplace/listings/refusals.ts';
import { findPublisherLike, findPublisherOf, insertPublisher } from '#marketplace/publishers/publishers.ts';
import { type FullName, reservedLike } from './names.ts';

/** Ownership of names, and protection against confusable ones. */

type Db = Kysely<Schema>;

/** Throws 409 with the conflict if the name is reserved, taken, or confusable with a known one. */
export async function refuseAlike(
  { well_known }: Pick<MarketplaceDeps, 'well_known'>,
  db: Db,
  { publisher, name }: FullName,
  user_id: string,
): Promise<void> {
  const own = await findPublisherOf(db, user_id);
  if (own !== undefined && own.name !== publisher) throw publisherDiffers(own.name);
  if (own === undefined) await refusePublisher(well_known, db, publisher, user_id);
  // The owner keeps a name, even if a similar one becomes well known later.
  if (own !== undefined && (await findListingNamed(db, own.id, name)) !== undefined) return;
  const like =
    (await findListingLike(db, skeletonOf(name), name)) ??
    (await findListingNear(db, { name, publisher_id: own?.id ?? null }));
  if (like !== undefined) throw nameAlike(name, { name: fullName(like), source: 'capstan', ref: like.id });
  const known = well_known.listingLike(name);
  if (known !== null) throw nameAlike(name, known);
}

/** As `refuseAlike`, for the publisher's name alone. */
export async function refusePublisher(
  well_known: WellKnown,
  db: Db,
  publisher: string,
  user_id: string,
): Promise<void> {
  const reserved = reservedLike(publisher);
  if (reserved !== null) throw nameReserved(publisher, reserved);
  const other = await findPublisherLike(db, skeletonOf(publisher));
  // The account's own publisher, created by a concurrent request.
  if (other?.user_id === user_id) return;
  if (other !== undefined && (other.name === publisher || other.closed_at !== null)) throw nameTaken(publisher);
  const conflict = other === undefined ? well_known.authorLike(publisher) : asConflict(other);
  if (conflict !== null) throw nameAlike(publisher, conflict);
}

const asConflict = ({ id, name }: PublisherRow) => ({ name, source: 'capstan', ref: `publishers/${id}` });

/** The account's publisher. An unused name belongs to the account that first publishes under it. */
export async function publisherFor(trx: Db, user_id: string, name: string, now: string): Promise<PublisherRow> {
  const own = await findPublisherOf(trx, user_id);
  if (own !== undefined && own.name !== name) throw publisherDiffers(own.name);
  if (own !== undefined) return own;
  const look = skeletonOf(name);
  const other = await findPublisherLike(trx, look);
  if (other !== undefined) throw other.look === look ? nameTaken(name) : nameAlike(name, asConflict(other));
  return insertPublisher(trx, { user_id, name, look, created_at: now });
}
