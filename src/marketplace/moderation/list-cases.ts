import { jsonPage } from '#core/http/json-page.ts';
import type { Handler } from '#core/http/operation.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import { listCases } from './cases.ts';
import type { moderationContract } from './contract.ts';

/** GET /api/operator/cases */
export const listOperatorCases =
  ({ db }: Pick<MarketplaceDeps, 'db'>): Handler<typeof moderationContract.listCases> =>
  async ({ query: { status, limit, offset }, raw_path }) =>
    jsonPage(await listCases(db, status, { limit, offset }), { limit, offset }, raw_path, { status });
