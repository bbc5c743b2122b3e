import type { Handler } from '#core/http/operation.ts';
import type { documentsContract } from './contract.ts';

/** GET /robots.txt */
export const getRobots =
  (base_url: string): Handler<typeof documentsContract.getRobots> =>
  () => ({
    media_type: 'text/plain; charset=utf-8',
    body: `User-agent: *\nAllow: /\nDisallow: /api/auth/\nDisallow: /auth/\nDisallow: /oauth/\n\nSitemap: ${base_url}/sitemap.xml\n`,
  });
