import { fold } from '#catalog/changes/fold.ts';
import { searchBody } from '#catalog/search/answer/search-body.ts';
import { daysIn } from '#catalog/search/index/days.ts';
import { NO_FILTERS } from '#catalog/search/query/filter.ts';
import { isForAll, type SearchRequest } from '#catalog/search/query/marketplace-search.ts';
import type { MarketplaceView } from '#catalog/search/query/marketplace-view.ts';
import { answerCache } from '#core/http/answer-cache.ts';
import { type Handler, jsonText } from '#core/http/operation.ts';
import { buildingHeaders } from './building-headers.ts';
import type { listingsContract } from './contract.ts';
import type { MarketplaceDeps } from './deps.ts';

const MOST_BYTES = 16 * 2 ** 20;

/** POST /api/marketplace/search */
export function searchMarketplace({
  index,
  clock,
  countUnlinked,
}: Pick<MarketplaceDeps, 'index' | 'clock' | 'countUnlinked'>): Handler<typeof listingsContract.search> {
  const answers = answerCache<MarketplaceView>({ most_bytes: MOST_BYTES });
  return async ({ body, query }) => {
    const view = await index.view();
    const asked = askedBy(body, daysIn(clock.now()));
    const beside = { with_explain: query.explain === '1', not_linked: await countUnlinked() };
    const aid = isForAll(asked) ? null : await index.aid(view, asked);
    return answers.answer(view, JSON.stringify({ asked, beside, aid: aid?.key }), () => {
      const { bytes, release } = searchBody(view, { ...asked, aid }, beside);
      return { ...jsonText(bytes, { headers: buildingHeaders(view) }), release };
    });
  };
}

type Order = Parameters<Handler<typeof listingsContract.search>>[0]['body'];

function askedBy(
  { query = '', as_typed = false, filters = {}, sort = 'relevance', limit = 50, offset = 0, copies_of }: Order,
  today: number,
): SearchRequest {
  const { tag, ...given } = filters;
  return {
    text: query.toWellFormed(),
    as_typed,
    filters: {
      ...NO_FILTERS,
      ...given,
      tag: tag === undefined ? null : fold(tag.toWellFormed()),
    },
    sort,
    limit,
    offset,
    copies_of: copies_of?.toWellFormed() ?? null,
    today,
  };
}
