import { type Handler, json } from '#core/http/operation.ts';
import { claimedBy } from '#marketplace/claims/claimed-by.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import { fullName, listListingsOf, listVersions } from '#marketplace/listings/listings.ts';
import { publisherNotFound } from '#marketplace/listings/refusals.ts';
import { latestVersion } from '#marketplace/listings/shapes.ts';
import type { publishersContract } from './contract.ts';
import { findPublisher } from './publishers.ts';

/** GET /api/marketplace/publishers/{id} */
export const getPublisher =
  ({ db, engine }: Pick<MarketplaceDeps, 'db' | 'engine'>): Handler<typeof publishersContract.get> =>
  async ({ params: { id } }) => {
    const publisher = await findPublisher(db, id);
    if (publisher === undefined) throw publisherNotFound();
    const listings = await listListingsOf(db, id);
    const versions = await listVersions(
      db,
      listings.map((it) => it.id),
    );
    const { name, created_at, closed_at } = publisher;
    const claims = await claimedBy(db, engine, publisher.id);
    return json({
      id,
      name,
      created_at,
      closed_at,
      listings: listings.map((it) => ({
        id: it.id,
        name: fullName(it),
        listing_type: it.listing_type,
        status: it.status,
        latest: latestVersion(versions.filter(({ listing_id }) => listing_id === it.id)),
        taken_down: it.taken_down !== null,
        updated_at: it.updated_at,
      })),
      claims,
      totals: {
        listings: listings.filter((it) => it.status === 'live' && it.taken_down === null).length,
        versions: versions.length,
        claims: claims.length,
      },
      first_seen_at: firstOf([created_at, ...listings.map((it) => it.created_at)]),
    });
  };

const firstOf = (times: readonly string[]): string => times.reduce((a, b) => (a < b ? a : b));
