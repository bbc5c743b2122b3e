import type { Kysely } from 'kysely';
import { PROVIDERS } from '#catalog/items/kinds.ts';
import { refuseWhileWarmingUp } from '#catalog/items/warming-up.ts';
import type { Catalog } from '#catalog/search/registry-index.ts';
import type { Schema } from '#core/db/schema.ts';
import { coreProblem } from '#core/errors.ts';
import type { Handler, Reply } from '#core/http/operation.ts';
import type { Problem } from '#core/problem/problem.ts';
import { textCache } from '#core/text/text-cache.ts';
import type { SkillStore } from '#runtime/skills/load-skills.ts';
import type { documentsContract } from './contract.ts';
import { listingPart, pack, unpack, urlEntry, urlSet } from './sitemap.ts';

/** GET /sitemaps/{part} */

interface Deps {
  db: Kysely<Schema>;
  catalog: Pick<Catalog, 'isReady' | 'version'>;
  skill_store: Pick<SkillStore, 'skills'>;
  base_url: string;
}

const PAGES = ['/', '/marketplace', '/providers', '/docs', '/docs/errors', '/reference', '/llms.txt', '/api/docs.md'];
const MOST_BYTES = 8 * 2 ** 20;
const MEDIA_TYPE = 'application/xml; charset=utf-8';

export function getSitemapPart(deps: Deps): Handler<typeof documentsContract.getSitemapPart> {
  const { catalog, skill_store, base_url } = deps;
  const parts = textCache<Promise<Uint8Array | null>>({ most_bytes: 1_000, bytesOf: () => 1 });
  const packed = textCache<Uint8Array>({ most_bytes: MOST_BYTES, bytesOf: (bytes) => bytes.byteLength });
  let known = '';
  const bytesOf = async (provider: string, number: number): Promise<Uint8Array | null> => {
    const { version } = catalog;
    if (version !== known) for (const textCache of [parts, packed]) textCache.clear();
    known = version;
    const key = `${provider}-${number}`;
    const kept = packed.get(key);
    if (kept !== undefined) return kept;
    const making =
      parts.get(key) ?? listingPart(deps, provider, number).then((chunks) => (chunks === null ? null : pack(chunks)));
    parts.set(key, making);
    const bytes = await making.finally(() => parts.delete(key));
    if (bytes !== null && version === known) packed.set(key, bytes);
    return bytes;
  };
  return async ({ params }): Promise<Reply> => {
    refuseWhileWarmingUp(catalog);
    if (params.part === 'pages.xml') {
      const paths = [...PAGES, ...skill_store.skills.map(({ name }) => `/skills/${name}`)];
      return { media_type: MEDIA_TYPE, body: urlSet(paths.map((path) => urlEntry(base_url + path, null))) };
    }
    const [, provider, number] = /^([a-z-]+)-([1-9]\d{0,3})\.xml$/.exec(params.part) ?? [];
    if (!PROVIDERS.some((candidate) => candidate === provider)) throw notFound();
    const etag = catalog.version;
    const bytes = await bytesOf(provider as string, Number(number));
    if (bytes === null) throw notFound();
    return { media_type: MEDIA_TYPE, body: unpack(bytes), etag, cache_control: 'public, max-age=3600' };
  };
}

const notFound = (): Problem =>
  coreProblem('http.not_found', 'Sitemap part not found. GET /sitemap.xml lists the parts.');
