import { refuseWhileWarmingUp } from '#catalog/items/warming-up.ts';
import type { Catalog } from '#catalog/search/registry-index.ts';
import type { Handler } from '#core/http/operation.ts';
import { xml } from '#surfaces/interop/xml.ts';
import type { documentsContract } from './contract.ts';
import { HEAD, URLS } from './sitemap.ts';

/** GET /sitemap.xml: lists the parts. */
export const getSitemap =
  ({
    catalog,
    base_url,
  }: {
    catalog: Pick<Catalog, 'isReady' | 'stats'>;
    base_url: string;
  }): Handler<typeof documentsContract.getSitemap> =>
  () => {
    refuseWhileWarmingUp(catalog);
    const counts = new Map<string, number>();
    for (const count of catalog.stats().counts)
      counts.set(count.provider, (counts.get(count.provider) ?? 0) + count.count);
    const listings = [...counts].flatMap(([provider, count]) =>
      Array.from({ length: Math.ceil(count / URLS) }, (_, i) => `${provider}-${i + 1}`),
    );
    const parts = ['pages', ...listings].map(
      (part) => xml`<sitemap><loc>${base_url}/sitemaps/${part}.xml</loc></sitemap>\n`,
    );
    const index = xml`<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${parts}</sitemapindex>\n`;
    return { media_type: 'application/xml; charset=utf-8', body: HEAD + index.html };
  };
