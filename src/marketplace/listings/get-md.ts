import { type Handler, json, markdown } from '#core/http/operation.ts';
import type { listingsContract } from './contract.ts';
import { listingMd } from './listing-md.ts';
import { type ListingDeps, readListing } from './read-listing.ts';
import { pathOf } from './shapes.ts';
import { shownItem } from './shown-item.ts';

/** GET /api/marketplace/listings/{id}/md */
export const getListingMd =
  (deps: ListingDeps): Handler<typeof listingsContract.getMd> =>
  async ({ params: { id } }) => {
    const found = await readListing(deps, id);
    if (!('moved_to' in found)) return markdown(listingMd(found, await shownItem(deps, found)));
    const location = `${pathOf(found.moved_to)}/md`;
    return json({ location }, { status: 308, headers: { location } });
  };
