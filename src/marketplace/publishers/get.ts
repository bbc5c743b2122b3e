import { type Handler, json } from '#core/http/operation.ts';
import { claimedBy } from '#marketplace/claims/claimed-by.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import { fullName, listListingsOf, listVersions } from '#marketplace/listings/listings.ts';
import { publisherNotFound } from '#marketplace/listings/refusals.ts';
import { latestVersion } from '#marketplace/listings/shapes.ts';
import type { publishersContract } from './contract.ts';
import { findPublisher, findPublisherNamed } from './publishers.ts';

/** GET /api/marketplace/publishers/{id} */
export const getPublisher =
  ({ db, engine }: Pick<MarketplaceDeps, 'db' | 'engine'>): Handler<typeof publishersContract.get> =>
  async ({ params: { id: named } }) => {
    const publisher = (await findPublisher(db, named)) ?? (await findPublisherNamed(db, named));
    if (publisher === undefined) throw publisherNotFound();
    const { id } = publisher;
    const listings = await listListingsOf(db, id);
    const versions = await listVersions(
      db,
      listings.map((listing) => listing.id),
    );
    const { name, created_at, closed_at } = publisher;
    const claims = await claimedBy(db, engine, publisher.id);
    return json({
      id,
      name,
      created_at,
      closed_at,
      listings: listings.map((listing) => ({
        id: listing.id,
        name: fullName(listing),
        listing_type: listing.listing_type,
        status: listing.status,
        latest: latestVersion(versions.filter(({ listing_id }) => listing_id === listing.id)),
        taken_down: listing.taken_down !== null,
        updated_at: listing.updated_at,
      })),
      claims,
      totals: {
        listings: listings.filter((listing) => listing.status === 'live' && listing.taken_down === null).length,
        versions: versions.length,
        claims: claims.length,
      },
      first_seen_at: firstOf([created_at, ...listings.map((listing) => listing.created_at)]),
    });
  };

const firstOf = (times: readonly string[]): string => times.reduce((a, b) => (a < b ? a : b));
