import { LRUCache } from 'lru-cache';
import type { Handler, Reply } from '../../platform/http/operation.ts';
import { pageLinks } from '../../platform/http/page-links.ts';
import { Problem } from '../../platform/problem.ts';
import type { Catalog } from './catalog/catalog.ts';
import { type ListQuery, normalQuery, queryString } from './catalog/query.ts';
import type { registryContract } from './contract.ts';

export interface ListItemsOptions {
  catalog: Catalog;
  /** Finished answers by normalised query; emptied when the catalogue changes. */
  cache?: AnswerCache;
}

export interface AnswerCache {
  version: string;
  replies: LRUCache<string, Reply>;
  /** Hashes of queries asked once, each in the place that its hash gives it. */
  asked: Int32Array;
}

/** An answer is counted twice: its three compressed forms together are smaller than itself. */
export const answerCache = (bytes = 32 * 2 ** 20): AnswerCache => ({
  version: '',
  asked: new Int32Array(8_192),
  replies: new LRUCache({
    maxSize: bytes,
    sizeCalculation: ({ body }, key) => (body as Uint8Array).byteLength * 2 + key.length * 2 + 1_024,
  }),
});

/** GET /api/marketplace/registry */
export function listItems({
  catalog,
  cache = answerCache(),
}: ListItemsOptions): Handler<typeof registryContract.listItems> {
  return ({ query: given, raw_path }) => {
    refuseWhileWarmingUp(catalog);
    const { version } = catalog;
    if (cache.version !== version) {
      cache.replies.clear();
      cache.version = version;
    }
    const query = normalQuery(given);
    const key = queryString(query);
    const known = cache.replies.get(key);
    if (known !== undefined) return known;
    const { total_count, body } = catalog.query(query);
    const reply: Reply = {
      media_type: 'application/json; charset=utf-8',
      body,
      etag: version,
      headers: linksOf(raw_path, query, total_count),
    };
    if (wasAsked(cache, key))
      cache.replies.set(key, {
        ...reply,
        body: Buffer.from(body),
        encoded: new Map(),
        isFresh: () => catalog.version === version,
      });
    return reply;
  };
}

/** Only what is asked a second time is kept: queries that never come back would push the others out. */
function wasAsked({ asked }: AnswerCache, key: string): boolean {
  let hash = 0;
  for (let i = 0; i < key.length; i++) hash = (Math.imul(hash, 31) + key.charCodeAt(i)) | 0;
  const place = (hash ^ (hash >>> 16)) & (asked.length - 1);
  if (asked[place] === hash) return true;
  asked[place] = hash;
  return false;
}

export function refuseWhileWarmingUp(catalog: Pick<Catalog, 'isReady'>): void {
  if (catalog.isReady) return;
  throw new Problem(
    'unavailable',
    'registry.warming_up',
    "The catalogue's index is being built. Ask again in a second.",
    { headers: { 'retry-after': '1' } },
  );
}

/** `Link` to the neighbouring pages of the same query. */
export const linksOf = (path: string, query: ListQuery, total_count: number): Record<string, string> =>
  pageLinks(path, { ...query, total_count }, (offset) => queryString({ ...query, offset }));
