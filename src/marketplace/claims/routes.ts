import type { Routes } from '#core/http/operation.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import type { claimsContract } from './contract.ts';
import { claimListing } from './create.ts';
import { listClaims } from './list.ts';
import { revokeClaim } from './revoke.ts';
import { verifyClaim } from './verify.ts';

export const claimsRoutes = (deps: MarketplaceDeps): Routes<typeof claimsContract> => ({
  create: claimListing(deps),
  verify: verifyClaim(deps),
  list: listClaims(deps),
  revoke: revokeClaim(deps),
});
