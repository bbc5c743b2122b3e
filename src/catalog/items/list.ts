import { normalQuery, queryString } from '#catalog/search/query/list-query.ts';
import type { Catalog } from '#catalog/search/registry-index.ts';
import { answerCache } from '#core/http/answer-cache.ts';
import { type Handler, jsonText } from '#core/http/operation.ts';
import { pageLinks } from '#core/http/page-links.ts';
import type { itemsContract } from './contract.ts';
import { type FlaggedListings, NOTHING_FLAGGED } from './flagged.ts';
import { refuseWhileWarmingUp } from './warming-up.ts';

const MOST_BYTES = 32 * 2 ** 20;

/** GET /api/marketplace/registry */
export function listItems({
  catalog,
  flagged = NOTHING_FLAGGED,
}: {
  catalog: Catalog;
  flagged?: FlaggedListings;
}): Handler<typeof itemsContract.list> {
  const versionNow = (): string => versionOf(catalog.version, flagged.known().version);
  const answers = answerCache<string>({ most_bytes: MOST_BYTES, isNewest: (version) => version === versionNow() });
  return ({ query: given, raw_path }) => {
    refuseWhileWarmingUp(catalog);
    const known = flagged.known();
    const version = versionOf(catalog.version, known.version);
    const query = normalQuery(given);
    const asked = queryString(query);
    return answers.answer(version, `${asked}&offset=${query.offset}`, () => {
      const { total_count, body, release } = catalog.query(query, known);
      const building: Record<string, string> = known.is_whole ? {} : { 'x-capstan-index': 'building' };
      const headers = { ...pageLinks(raw_path, { ...query, total_count }, asked), ...building };
      return { ...jsonText(body, { etag: version, headers }), release };
    });
  };
}

const versionOf = (catalog: string, flagged: string): string => (flagged === '' ? catalog : `${catalog}-f${flagged}`);
