import { refuseWhileWarmingUp } from '#catalog/items/warming-up.ts';
import type { ShownCapability } from './index/document.ts';
import type { CapabilityIndex } from './marketplace-index.ts';
import { NO_FILTERS } from './query/filter.ts';
import { wordsFound } from './query/found-words.ts';
import { searchCapabilities } from './query/marketplace-search.ts';
import { capabilityOfHit, type MarketplaceView } from './query/marketplace-view.ts';
import type { QueryPlan } from './query/query-plan.ts';
import {
  type FoundListings,
  type ListingRequest,
  rankListings,
  type SearchedViews,
  searchOf,
} from './query/ranked-listings.ts';
import type { Catalog } from './registry-index.ts';

/** The search of listings by relevance, for everything that finds listings by their text. */
export interface ListingSearch {
  /** Of the index of capabilities; empty before it can be read. Changes with each change of the answers. */
  readonly version: string;
  /**
   * Both indexes, and what the operator's models say about the search, whatever its page. Waits a few seconds while an index is being
   * built, then throws `http.unavailable` (`index`).
   */
  views(request: Omit<ListingRequest, 'limit' | 'offset'>): Promise<SearchedViews>;
  /** Searches the newest views. */
  listings(request: ListingRequest): Promise<FoundListings & SearchedViews>;
  /** The same at once; null while an index is being built. */
  listingsNow(request: ListingRequest): FoundListings | null;
  /** Built-in skills, best first. */
  builtIn(text: string, limit: number): Promise<BuiltInHit[]>;
}

type BuiltInHit = Pick<ShownCapability, 'name' | 'description' | 'execution_class'>;

interface ListingSearchDeps {
  catalog: Pick<Catalog, 'isReady' | 'view'>;
  index: Pick<CapabilityIndex, 'view' | 'aid'>;
}

export function openListingSearch({ catalog, index }: ListingSearchDeps): ListingSearch {
  function marketNow(): MarketplaceView | null {
    const market = index.view();
    if (!(market instanceof Promise)) return market;
    // A caller that needs the index waits for it, and gets the error.
    market.catch(() => {});
    return null;
  }
  async function views(request: Omit<ListingRequest, 'limit' | 'offset'>): Promise<SearchedViews> {
    refuseWhileWarmingUp(catalog);
    const market = await index.view();
    const aid = await index.aid(market, searchOf(request));
    return { market, list: catalog.view(), aid };
  }
  return {
    get version() {
      return marketNow()?.version ?? '';
    },
    views,
    async listings(request) {
      const newest = await views(request);
      return { ...rankListings(newest, request), ...newest };
    },
    listingsNow(request) {
      const market = marketNow();
      return market === null || !catalog.isReady ? null : rankListings({ market, list: catalog.view() }, request);
    },
    async builtIn(text, limit) {
      const market = await index.view();
      const filters = { ...NO_FILTERS, built_in: true };
      const asked = { text, as_typed: false, filters, sort: 'relevance', limit: MOST_BUILT_IN, offset: 0 } as const;
      const { hits, plan } = searchCapabilities(market, asked);
      const telling = hits.filter(({ row }) => shareOutsideContents(market, plan, row) >= LEAST_SHARE);
      return telling.slice(0, limit).map(({ row }) => capabilityOfHit(market, row));
    },
  };
}

/** There are few built-in skills. */
const MOST_BUILT_IN = 100;

/** Models trust and prefer what is built in, so words of its instructions alone are not enough. */
const LEAST_SHARE = 0.5;

/** The share of the query's weight that is in the name, the description and so on. */
function shareOutsideContents(market: MarketplaceView, plan: QueryPlan, row: number): number {
  const found = wordsFound(market, plan, row).filter(({ fields }) => fields.some((field) => field !== 'contents'));
  const terms = new Set(found.map(({ term }) => term));
  const weightOf = (groups: QueryPlan['groups']): number => groups.reduce((sum, { idf }) => sum + idf, 0);
  const share = weightOf(plan.groups.filter(({ term }) => terms.has(term)));
  return share / (weightOf(plan.groups) + plan.unmatchedWeight);
}
