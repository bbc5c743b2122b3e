import { preferredType } from '#core/http/accept.ts';
import { type Handler, json, markdown, type Reply } from '#core/http/operation.ts';
import type { listingsContract } from './contract.ts';
import { listingMd } from './listing-md.ts';
import { type ListingDeps, readListing } from './read-listing.ts';
import { pathOf } from './shapes.ts';
import { shownItem } from './shown-item.ts';

const VARY = { vary: 'accept' };

/** GET /api/marketplace/listings/{id} */
export const getListing =
  (deps: ListingDeps): Handler<typeof listingsContract.get> =>
  async ({ params: { id }, headers }) => {
    const found = await readListing(deps, id);
    if ('moved_to' in found) return movedReply(pathOf(found.moved_to));
    if (preferredType(headers.accept, ['application/json', 'text/markdown']) === 'text/markdown')
      return markdown(listingMd(found, await shownItem(deps, found)), { headers: VARY });
    return json(found.detail, { headers: VARY });
  };

const movedReply = (location: string): Reply => json({ location }, { status: 308, headers: { location, ...VARY } });
