import type { ListingSearch } from '#catalog/search/listing-search.ts';
import { aidTag } from '#catalog/search/query/aid.ts';
import { normalQuery, queryString } from '#catalog/search/query/list-query.ts';
import { rankListings } from '#catalog/search/query/ranked-listings.ts';
import { rankedQuery } from '#catalog/search/query/ranked-query.ts';
import type { Catalog } from '#catalog/search/registry-index.ts';
import { defined } from '#core/defined.ts';
import { answerCache } from '#core/http/answer-cache.ts';
import { type Handler, jsonText, type Reply } from '#core/http/operation.ts';
import { pageLinks } from '#core/http/page-links.ts';
import type { itemsContract } from './contract.ts';
import { type Flagged, type FlaggedListings, NOTHING_FLAGGED } from './flagged.ts';
import { refuseWhileWarmingUp } from './warming-up.ts';

const MOST_BYTES = 32 * 2 ** 20;
const MOST_RANKED_BYTES = 8 * 2 ** 20;

interface ListDeps {
  catalog: Catalog;
  search: Pick<ListingSearch, 'views'>;
  flagged?: FlaggedListings;
}

type List = Handler<typeof itemsContract.list>;
type Ranked = NonNullable<ReturnType<typeof rankedQuery>>;

/** GET /api/marketplace/registry */
export function listItems({ catalog, search, flagged = NOTHING_FLAGGED }: ListDeps): List {
  const versionNow = (): string => versionOf(catalog.version, flagged.known());
  const answers = answerCache<string>({ most_bytes: MOST_BYTES, isNewest: (version) => version === versionNow() });
  const ranked = rankedList(search, flagged);
  return ({ query: given, raw_path }) => {
    refuseWhileWarmingUp(catalog);
    const byRelevance = rankedQuery(given, { with_own: false });
    if (byRelevance !== null) return ranked(byRelevance, raw_path);
    const known = flagged.known();
    const version = versionOf(catalog.version, known);
    const query = normalQuery(given);
    const asked = queryString(query);
    return answers.answer(version, `${asked}&offset=${query.offset}`, () => {
      const { total_count, body, release } = catalog.query(query, known);
      const headers = { ...pageLinks(raw_path, { ...query, total_count }, asked), ...buildingHeaders(known) };
      return { ...jsonText(body, { etag: version, headers }), release };
    });
  };
}

/** The same by relevance, which reads both indexes. */
function rankedList(search: ListDeps['search'], flagged: FlaggedListings) {
  const answers = answerCache<string>({ most_bytes: MOST_RANKED_BYTES });
  return async ({ request, shown }: Ranked, rawPath: string): Promise<Reply> => {
    const views = await search.views(request);
    const known = flagged.known();
    const version = versionOf(`${views.list.version}-${views.market.version}`, known);
    const asked = queryString(shown) + (request.as_typed === true ? '&as_typed=true' : '');
    return answers.answer(version, `${asked}&offset=${request.offset}&aid=${views.aid?.key}`, () => {
      const { total_count, hits, plan } = rankListings(views, request);
      const items = hits.map(({ item, copies }) => ({
        ...item,
        ...defined({
          flagged: known.has(item.provider_id, item.external_id) || undefined,
          copies: copies > 0 ? copies : undefined,
        }),
      }));
      const { corrected, translated } = plan;
      const { limit, offset } = request;
      const body = Buffer.from(JSON.stringify({ items, total_count, limit, offset, corrected, translated }));
      const headers = { ...pageLinks(rawPath, { ...shown, total_count }, asked), ...buildingHeaders(known) };
      return jsonText(body, { etag: `${version}${aidTag(views.aid)}`, headers });
    });
  };
}

const buildingHeaders = ({ is_whole }: Flagged): Record<string, string> =>
  is_whole ? {} : { 'x-capstan-index': 'building' };

const versionOf = (catalog: string, { version }: Flagged): string =>
  version === '' ? catalog : `${catalog}-f${version}`;
