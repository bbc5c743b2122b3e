import { answerCache } from '../../platform/http/answer-cache.ts';
import { type Handler, jsonText } from '../../platform/http/operation.ts';
import { pageLinks } from '../../platform/http/page-links.ts';
import type { Catalog } from './catalog/catalog.ts';
import { normalQuery, queryString } from './catalog/query.ts';
import type { registryContract } from './contract.ts';
import { refuseWhileWarmingUp } from './warming-up.ts';

const MOST_BYTES = 32 * 2 ** 20;

/** GET /api/marketplace/registry */
export function listItems({ catalog }: { catalog: Catalog }): Handler<typeof registryContract.listItems> {
  const answers = answerCache<string>({ most_bytes: MOST_BYTES, isNewest: (version) => version === catalog.version });
  return ({ query: given, raw_path }) => {
    refuseWhileWarmingUp(catalog);
    const { version } = catalog;
    const query = normalQuery(given);
    const asked = queryString(query);
    return answers.answer(version, `${asked}&offset=${query.offset}`, () => {
      const { total_count, body, release } = catalog.query(query);
      const headers = pageLinks(raw_path, { ...query, total_count }, asked);
      return { ...jsonText(body, { etag: version, headers }), release };
    });
  };
}
