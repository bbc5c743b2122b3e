import type { Routes } from '#core/http/operation.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import type { publishersContract } from './contract.ts';
import { getPublisher } from './get.ts';

export const publishersRoutes = (deps: MarketplaceDeps): Routes<typeof publishersContract> => ({
  get: getPublisher(deps),
});
