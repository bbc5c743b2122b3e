import { type Handler, json } from '#core/http/operation.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import type { trustedPublishersContract } from './contract.ts';

/** GET /api/marketplace/publishing/issuers */
export const listIssuers =
  ({
    base_url,
    limits,
  }: Pick<MarketplaceDeps, 'base_url' | 'limits'>): Handler<typeof trustedPublishersContract.listIssuers> =>
  () =>
    json({ audience: base_url, items: limits.trusted_issuers.map(({ name, kind, url }) => ({ name, kind, url })) });
