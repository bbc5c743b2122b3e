import { type Handler, jsonText } from '../../platform/http/operation.ts';
import { pageLinks } from '../../platform/http/page-links.ts';
import { bodyOf } from '../registry/catalog/body.ts';
import { find } from '../registry/catalog/view.ts';
import type { marketplaceContract } from './contract.ts';
import type { MarketplaceDeps } from './deps.ts';
import { capabilityQuery, inView } from './search/list-query.ts';

/** GET /api/marketplace/listings */
export const listListings =
  ({ index }: Pick<MarketplaceDeps, 'index'>): Handler<typeof marketplaceContract.listListings> =>
  async ({ query: given, raw_path }) => {
    const view = await index.view();
    const asked = capabilityQuery(given);
    const query = inView(asked, view);
    const found = find(view.list, query);
    const { bytes, giveBack } = bodyOf(view.list, found, query);
    const headers = pageLinks(raw_path, { ...query, total_count: found.total_count }, asked.text);
    return { ...jsonText(bytes, { etag: view.version, headers }), release: giveBack };
  };
