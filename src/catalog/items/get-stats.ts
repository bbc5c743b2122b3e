import { type Handler, json } from '#core/http/operation.ts';
import type { itemsContract } from './contract.ts';
import type { ReadStats } from './read-stats.ts';

/** GET /api/marketplace/registry/stats */
export const getStats =
  (stats: ReadStats): Handler<typeof itemsContract.getStats> =>
  async () =>
    json(await stats());
