import { type Handler, json } from '../../platform/http/operation.ts';
import { fold } from '../registry/fold.ts';
import type { marketplaceContract } from './contract.ts';
import type { MarketplaceDeps } from './deps.ts';
import { searchAnswer } from './search/answer.ts';

/** POST /api/marketplace/search */
export const searchMarketplace =
  ({ index }: Pick<MarketplaceDeps, 'index'>): Handler<typeof marketplaceContract.searchMarketplace> =>
  async ({ body, query }) => {
    const view = await index.view();
    const { provider = null, listing_type = null, execution_class = null, tag, verified = null } = body.filters ?? {};
    const { sort = 'relevance', limit = 50, offset = 0 } = body;
    const filters = {
      provider,
      listing_type,
      execution_class,
      tag: tag === undefined ? null : fold(tag.toWellFormed()),
      verified,
    };
    const asked = { text: body.query.toWellFormed(), filters, sort, limit, offset };
    const { items, total_count, ...rest } = searchAnswer(view, asked, query.explain === '1');
    return json({ items, total_count, limit, offset, ...rest });
  };
