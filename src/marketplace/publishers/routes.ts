import type { Routes } from '#core/http/operation.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import type { publishersContract } from './contract.ts';
import { getPublisher } from './get.ts';
import { getOwnPublisher } from './get-own.ts';

export const publishersRoutes = (deps: MarketplaceDeps): Routes<typeof publishersContract> => ({
  getOwn: getOwnPublisher(deps),
  get: getPublisher(deps),
});
