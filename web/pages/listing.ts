import type { Capstan, ItemDetail } from '../../sdk/src/index.ts';
import { isProvider } from '../parts/capability-ref.ts';
import type { Known } from '../parts/known.ts';
import { seeAlso } from '../parts/listing-overview.ts';
import { listingView } from '../parts/listing-page.ts';
import { listingPath } from '../parts/listings.ts';
import { orNone } from '../parts/or-none.ts';
import type { Page } from '../server/page.ts';
import { tabsOf } from './listing-tabs.ts';
import { named } from './named.ts';

/** `/registry/{provider}/{id}`: one listing of a provider. Its text is untrusted. */
export const listing: Page = {
  get: async (visit) => {
    const { capstan, params, site } = visit;
    const { provider, id } = params as { provider: ItemDetail['provider_id']; id: string };
    // `publisher/name`, or another name that has its page in the marketplace.
    if (!isProvider(provider)) return named.get({ ...visit, params: { name: `${provider}/${id}` } });
    const item = await capstan.items.get({ provider, id });
    const path = listingPath(item.provider_id, item.external_id);
    // A former id redirects to the current one.
    if (item.external_id !== id || item.provider_id !== provider) return { location: path, status: 308 };
    const alone: Known = {
      path,
      item,
      listing: null,
      version: null,
      skill: null,
      proof: null,
      has_model: site.has_model,
    };
    const [known, side] = await Promise.all([withCapability(capstan, alone, item), seeAlso(visit, alone)]);
    const { self: json, markdown } = item.links;
    return listingView(visit, { known, tabs: tabsOf(visit, known), json, markdown, side });
  },
};

/** With what the other providers say, and the runs of this one. */
async function withCapability(capstan: Capstan, known: Known, item: ItemDetail): Promise<Known> {
  const { provider_id, external_id, capability_id } = item;
  const [listing, proof] = await Promise.all([
    capability_id === null ? null : orNone(capstan.listings.get({ id: capability_id })),
    orNone(capstan.proof.get({ subject: `listing/${provider_id}/${external_id}` })),
  ]);
  return { ...known, listing, proof };
}
