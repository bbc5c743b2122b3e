import { type Handler, jsonText } from '../../platform/http/operation.ts';
import { type TextCache, textCache } from '../../platform/text-cache.ts';
import { fold } from '../registry/fold.ts';
import type { marketplaceContract } from './contract.ts';
import type { MarketplaceDeps } from './deps.ts';
import { searchAnswer } from './search/answer.ts';
import type { AskedSearch } from './search/find.ts';
import type { IndexView } from './search/view.ts';

/** Finished answers to what was asked of one state. */
interface Answers {
  view: IndexView | null;
  bodies: TextCache<string>;
}

const MOST_BYTES = 16 * 2 ** 20;
const BYTES_A_CHARACTER = 2;

/** POST /api/marketplace/search */
export function searchMarketplace({
  index,
  leftToLink,
}: Pick<MarketplaceDeps, 'index' | 'leftToLink'>): Handler<typeof marketplaceContract.searchMarketplace> {
  const answers: Answers = {
    view: null,
    bodies: textCache({ most_bytes: MOST_BYTES, bytesOf: (body) => body.length * BYTES_A_CHARACTER }),
  };
  return async ({ body, query }) => {
    const view = await index.view();
    const not_linked = await leftToLink();
    if (answers.view !== view) {
      answers.view = view;
      answers.bodies.clear();
    }
    const asked = askedBy(body);
    const with_explain = query.explain === '1';
    const key = `${with_explain}${not_linked}${JSON.stringify(asked)}`;
    const known = answers.bodies.get(key);
    if (known !== undefined) return jsonText(known);
    const { items, total_count, ...rest } = searchAnswer(view, asked, with_explain);
    const { limit, offset } = asked;
    const text = JSON.stringify({ items, total_count, limit, offset, ...rest, not_linked });
    answers.bodies.set(key, text);
    return jsonText(text);
  };
}

type Order = Parameters<Handler<typeof marketplaceContract.searchMarketplace>>[0]['body'];

function askedBy({ query, filters = {}, sort = 'relevance', limit = 50, offset = 0 }: Order): AskedSearch {
  const { provider = null, listing_type = null, execution_class = null, tag, verified = null } = filters;
  return {
    text: query.toWellFormed(),
    filters: {
      ...{ provider, listing_type, execution_class, verified },
      tag: tag === undefined ? null : fold(tag.toWellFormed()),
    },
    ...{ sort, limit, offset },
  };
}
