import { listBody } from '#catalog/search/answer/list-body.ts';
import { aidTag } from '#catalog/search/query/aid.ts';
import { capabilityPage, capabilityQuery } from '#catalog/search/query/capability-query.ts';
import type { MarketplaceView } from '#catalog/search/query/marketplace-view.ts';
import { answerCache } from '#core/http/answer-cache.ts';
import { type Handler, jsonText } from '#core/http/operation.ts';
import { pageLinks } from '#core/http/page-links.ts';
import { buildingHeaders } from './building-headers.ts';
import type { listingsContract } from './contract.ts';
import type { MarketplaceDeps } from './deps.ts';

const MOST_BYTES = 16 * 2 ** 20;

/** GET /api/marketplace/listings */
export function listListings({ index }: Pick<MarketplaceDeps, 'index'>): Handler<typeof listingsContract.list> {
  const lists = answerCache<MarketplaceView>({ most_bytes: MOST_BYTES, isNewest: index.isNewest });
  const searches = answerCache<MarketplaceView>({ most_bytes: MOST_BYTES });
  return async ({ query: given, raw_path }) => {
    const view = await index.view();
    const asked = capabilityQuery(given);
    const { query, search } = asked;
    const aid = search === null ? null : await index.aid(view, search);
    const answers = search === null ? lists : searches;
    return answers.answer(view, `${asked.text}&offset=${query.offset}&aid=${aid?.key}`, () => {
      const found = capabilityPage(view, asked, aid);
      const { bytes, release } = listBody(view.list, found, query);
      const headers = pageLinks(raw_path, { ...query, total_count: found.total_count }, asked.text);
      const told = { ...headers, ...buildingHeaders(view) };
      return { ...jsonText(bytes, { etag: `${view.version}${aidTag(aid)}`, headers: told }), release };
    });
  };
}
