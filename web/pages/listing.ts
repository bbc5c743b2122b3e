import { type Capstan, CapstanError, type ItemDetail } from '../../sdk/src/index.ts';
import { isProvider } from '../parts/capability-ref.ts';
import type { Known } from '../parts/known.ts';
import { seeAlso } from '../parts/listing-overview.ts';
import { listingView } from '../parts/listing-page.ts';
import { listingPath } from '../parts/listings.ts';
import { orNone } from '../parts/or-none.ts';
import { plainReason } from '../parts/run-ability.ts';
import { failure } from '../parts/said.ts';
import { ago, cut } from '../parts/words.ts';
import { type Html, html } from '../server/html.ts';
import type { Answer, Page, Visit } from '../server/page.ts';
import { tabsOf } from './listing-tabs.ts';
import { named } from './named.ts';

/** `/registry/{provider}/{id}`: one listing of a provider. Its text is untrusted. */
export const listing: Page = {
  get: (visit) => shown(visit, null),
  post: async (visit) => {
    const { capstan, path, params, form } = visit;
    const { provider, id } = params as Place;
    if (!isProvider(provider) || form.get('do') !== 'probe') return { location: path };
    try {
      await capstan.items.probe({ body: { provider, id } });
      return { location: `${listingPath(provider, id)}?done=${PROBED}` };
    } catch (error) {
      if (!(error instanceof CapstanError) || error.status === 0) throw error;
      const view = await shown(visit, error);
      return 'content' in view ? { ...view, status: error.status } : view;
    }
  },
};

type Place = { provider: ItemDetail['provider_id']; id: string };

const PROBED = 'listing_probed';

async function shown(visit: Visit, failed: CapstanError | null): Promise<Answer> {
  const { capstan, params, query, site } = visit;
  const { provider, id } = params as Place;
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
    has_probes: site.has_probes,
  };
  const [known, side] = await Promise.all([withCapability(capstan, alone, item), seeAlso(visit, alone)]);
  const { self: json, markdown } = item.links;
  const isAnswer = query.get('done') === PROBED && item.runnable.checked_at !== null;
  const said = failed === null ? isAnswer && probed(known, site.now()) : failure(failed);
  return listingView(visit, { known, tabs: tabsOf(visit, known), json, markdown, said, side });
}

/** What the last probe found, so that a link with the same address never claims more. */
const probed = (known: Known, nowMs: number): Html =>
  html`<p class="said" role="status">Checked ${ago(known.item?.runnable.checked_at ?? null, nowMs)}: <bdi>${cut(plainReason(known), 300)}</bdi></p>`;

/** With what the other providers say, and the runs of this one. */
async function withCapability(capstan: Capstan, known: Known, item: ItemDetail): Promise<Known> {
  const { provider_id, external_id, capability_id } = item;
  const [listing, proof] = await Promise.all([
    capability_id === null ? null : orNone(capstan.listings.get({ id: capability_id })),
    orNone(capstan.proof.get({ subject: `listing/${provider_id}/${external_id}` })),
  ]);
  return { ...known, listing, proof };
}
