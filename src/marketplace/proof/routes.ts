import type { Routes } from '#core/http/operation.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import type { proofContract } from './contract.ts';
import { getProof } from './get.ts';

export const proofRoutes = (deps: MarketplaceDeps): Routes<typeof proofContract> => ({
  get: getProof(deps),
});
