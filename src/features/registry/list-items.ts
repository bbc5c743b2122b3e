import { type Handler, jsonText, type Reply } from '../../platform/http/operation.ts';
import { pageLinks } from '../../platform/http/page-links.ts';
import { hashOf, type TextCache, textCache } from '../../platform/text-cache.ts';
import type { Catalog } from './catalog/catalog.ts';
import { normalQuery, queryString } from './catalog/query.ts';
import type { registryContract } from './contract.ts';
import { refuseWhileWarmingUp } from './warming-up.ts';

/** Finished answers by normalised query; emptied when the catalogue changes. */
interface AnswerCache {
  version: string;
  replies: TextCache<Reply>;
  /** Hashes of queries asked once, each in the place that its hash gives it. */
  asked: Int32Array;
}

const MOST_BYTES = 32 * 2 ** 20;

/** An answer is counted twice: its three compressed forms together are smaller than itself. */
const answerCache = (): AnswerCache => ({
  version: '',
  asked: new Int32Array(8_192),
  replies: textCache({
    most_bytes: MOST_BYTES,
    bytesOf: ({ body }) => (body as Uint8Array).byteLength * 2 + 1_024,
  }),
});

/** GET /api/marketplace/registry */
export function listItems({ catalog }: { catalog: Catalog }): Handler<typeof registryContract.listItems> {
  const cache = answerCache();
  return ({ query: given, raw_path }) => {
    refuseWhileWarmingUp(catalog);
    const { version } = catalog;
    if (cache.version !== version) {
      cache.replies.clear();
      cache.version = version;
    }
    const query = normalQuery(given);
    const asked = queryString(query);
    const key = `${asked}&offset=${query.offset}`;
    const hash = hashOf(key);
    const known = cache.replies.get(key, hash);
    if (known !== undefined) return known;
    const { total_count, body, release } = catalog.query(query);
    const reply = jsonText(body, { etag: version, headers: pageLinks(raw_path, { ...query, total_count }, asked) });
    if (wasAsked(cache, hash)) {
      const isFresh = () => catalog.version === version;
      cache.replies.set(key, { ...reply, body: Buffer.from(body), encoded: new Map(), isFresh }, hash);
    }
    return { ...reply, release };
  };
}

/** Only what is asked a second time is kept: queries that never come back would push the others out. */
function wasAsked({ asked }: AnswerCache, hash: number): boolean {
  const place = hash & (asked.length - 1);
  if (asked[place] === hash) return true;
  asked[place] = hash;
  return false;
}
