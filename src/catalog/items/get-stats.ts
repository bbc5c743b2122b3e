import { type Handler, json } from '#core/http/operation.ts';
import type { registryContract } from './contract.ts';
import type { ReadStats } from './read-stats.ts';

/** GET /api/marketplace/registry/stats */
export const getStats =
  (stats: ReadStats): Handler<typeof registryContract.getStats> =>
  async () =>
    json(await stats());
