import {
  type Capstan,
  CapstanError,
  type ItemDetail,
  type ListingDetail,
  type VersionDetail,
} from '../../sdk/src/index.ts';
import { capabilityPath, isOwnSkill } from '../parts/capabilities.ts';
import { goneView } from '../parts/capability-gone.ts';
import { type Known, ownIdOf, type Proof } from '../parts/known.ts';
import { seeAlso } from '../parts/listing-overview.ts';
import { listingView } from '../parts/listing-page.ts';
import { orNone } from '../parts/or-none.ts';
import type { Page } from '../server/page.ts';
import { tabsOf } from './listing-tabs.ts';

/** `/marketplace/{id}`: a capability, merged from every provider and what was published here. Its text is untrusted. */
export const capability: Page = {
  get: async (visit) => {
    const { capstan, params, site } = visit;
    const { id = '' } = params;
    if (isOwnSkill(id)) return { location: capabilityPath(id), status: 308 };
    try {
      const listing = await capstan.listings.get({ id });
      // A listing that was merged into another redirects there.
      if (listing.id !== id) return { location: capabilityPath(listing.id), status: 308 };
      const path = capabilityPath(id);
      const alone: Known = {
        path,
        item: null,
        listing,
        version: null,
        skill: null,
        proof: null,
        has_model: site.has_model,
        has_probes: site.has_probes,
      };
      const [item, version, proof, side] = await Promise.all([
        itemOf(capstan, listing),
        versionOf(capstan, alone, listing),
        proofOf(capstan, alone, listing),
        seeAlso(visit, alone),
      ]);
      const known: Known = { ...alone, item, version, proof };
      const { self: json } = listing.links;
      return listingView(visit, { known, tabs: tabsOf(visit, known), json, markdown: `${json}/md`, side });
    } catch (error) {
      if (error instanceof CapstanError && error.status === 410) return goneView(error, id, site.now());
      throw error;
    }
  },
};

/** The source listing to run: the one most likely to run, else the most trusted one. */
function placeOf({ runnable, members = [] }: ListingDetail) {
  const place = runnable?.via ?? members.find(({ provider }) => provider !== 'capstan');
  return place === undefined || place.provider === 'capstan' ? null : place;
}

async function itemOf(capstan: Capstan, listing: ListingDetail): Promise<ItemDetail | null> {
  const place = placeOf(listing);
  if (place === null) return null;
  return orNone(capstan.items.get({ provider: place.provider as 'smithery', id: place.external_id }));
}

/** The version that is shown, if it was published here. */
async function versionOf(capstan: Capstan, known: Known, { links, id }: ListingDetail): Promise<VersionDetail | null> {
  const shown = links.version === undefined ? undefined : /\/versions\/([^/]+)$/.exec(links.version)?.[1];
  if (shown === undefined) return null;
  return orNone(capstan.listings.getVersion({ id: ownIdOf(known) ?? id, version: decodeURIComponent(shown) }));
}

async function proofOf(capstan: Capstan, known: Known, listing: ListingDetail): Promise<Proof | null> {
  const place = placeOf(listing);
  const isOwn = listing.versions !== undefined || place === null;
  const subject = isOwn
    ? `capability/${ownIdOf(known) ?? listing.id}`
    : `listing/${place.provider}/${place.external_id}`;
  return orNone(capstan.proof.get({ subject }));
}
