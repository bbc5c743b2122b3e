import { type Handler, json } from '../../platform/http/operation.ts';
import type { marketplaceContract } from './contract.ts';
import type { MarketplaceDeps } from './deps.ts';
import { fullName, listListingsOf, listVersions } from './listings.ts';
import { findPublisher } from './publishers.ts';
import { publisherNotFound } from './refusals.ts';
import { latestVersion } from './shapes.ts';

/** GET /api/marketplace/publishers/{id} */
export const getPublisher =
  ({ db }: Pick<MarketplaceDeps, 'db'>): Handler<typeof marketplaceContract.getPublisher> =>
  async ({ params: { id } }) => {
    const publisher = await findPublisher(db, id);
    if (publisher === undefined) throw publisherNotFound();
    const listings = await listListingsOf(db, id);
    const versions = await listVersions(
      db,
      listings.map((it) => it.id),
    );
    const { name, created_at, closed_at } = publisher;
    return json({
      ...{ id, name, created_at, closed_at },
      listings: listings.map((it) => ({
        ...{ id: it.id, name: fullName(it), listing_type: it.listing_type, status: it.status },
        latest: latestVersion(versions.filter(({ listing_id }) => listing_id === it.id)),
        updated_at: it.updated_at,
      })),
    });
  };
