import { countsOf, countVerified, type EnumFacet } from '#catalog/search/index/facet-bits.ts';
import { totalsOf } from '#catalog/search/query/facets.ts';
import { isoTime } from '#core/clock/clock.ts';
import { type Handler, json } from '#core/http/operation.ts';
import { countRunsSince } from '#marketplace/proof/count-runs.ts';
import { countPublishers } from '#marketplace/publishers/publishers.ts';
import { buildingHeaders } from './building-headers.ts';
import type { listingsContract } from './contract.ts';
import type { MarketplaceDeps } from './deps.ts';

const DAY_MS = 86_400_000;

/** GET /api/marketplace/stats */
export const getStats =
  ({
    index,
    db,
    clock,
    countUnlinked,
  }: Pick<MarketplaceDeps, 'index' | 'db' | 'clock' | 'countUnlinked'>): Handler<typeof listingsContract.getStats> =>
  async () => {
    const view = await index.view();
    const { capabilities, listings, counts } = totalsOf(view);
    const by = (facet: EnumFacet): Record<string, number> =>
      Object.fromEntries(countsOf(facet, counts).map(({ value, count }) => [value, count]));
    const headers = buildingHeaders(view);
    const stats = {
      capabilities,
      listings,
      not_linked: await countUnlinked(),
      publishers: await countPublishers(db),
      runs_24h: await countRunsSince(db, isoTime(clock.now() - DAY_MS)),
      verified: countVerified(counts),
      by_listing_type: by('listing_type'),
      by_execution_class: by('execution_class'),
      by_provider: by('provider'),
      by_level: by('level'),
    };
    return json(stats, { headers });
  };
