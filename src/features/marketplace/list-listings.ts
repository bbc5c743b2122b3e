import { type Handler, json } from '../../platform/http/operation.ts';
import { pageLinks } from '../../platform/http/page-links.ts';
import { normalQuery, queryString } from '../registry/catalog/query.ts';
import { OWN_SOURCE } from '../registry/own-listings.ts';
import type { marketplaceContract } from './contract.ts';
import type { MarketplaceDeps } from './deps.ts';
import type { Shelved } from './shelf.ts';

/** GET /api/marketplace/listings */
export const listListings =
  ({ shelf }: Pick<MarketplaceDeps, 'shelf'>): Handler<typeof marketplaceContract.listListings> =>
  async ({ query: given, raw_path }) => {
    const query = normalQuery(given);
    const { source } = given;
    const { limit, offset, terms, tag, listing_type, execution_class, sort } = query;
    const is_ours = query.provider === null && (source === undefined || source === OWN_SOURCE);
    const found = (is_ours ? await shelf.listings() : []).filter(
      ({ listing, haystack, tags }) =>
        (listing_type === null || listing.listing_type === listing_type) &&
        (execution_class === null || listing.execution_class === execution_class) &&
        (tag === null || tags.includes(tag)) &&
        terms.every((term) => haystack.includes(term)),
    );
    // By name already, and so are those of equal rank: nothing counts downloads or stars here.
    const ordered = sort === 'updated' ? found.toSorted(newestFirst) : found;
    const items = ordered.slice(offset, offset + limit).map(({ listing }) => listing);
    const total_count = found.length;
    const asked = `${source === undefined ? '' : `source=${source}&`}${queryString(query)}`;
    const headers = pageLinks(raw_path, { limit, offset, total_count }, asked);
    return json({ items, total_count, limit, offset }, { headers });
  };

const newestFirst = (a: Shelved, b: Shelved): number =>
  a.listing.updated_at < b.listing.updated_at ? 1 : a.listing.updated_at > b.listing.updated_at ? -1 : 0;
