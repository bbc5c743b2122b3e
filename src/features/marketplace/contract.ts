import { claimsContract } from './contract-claims.ts';
import { featuredContract } from './contract-featured.ts';
import { identityContract } from './contract-identity.ts';
import { listingsContract } from './contract-listings.ts';
import { moderationContract } from './contract-moderation.ts';
import { proofContract } from './contract-proof.ts';
import { publishingContract } from './contract-publishing.ts';
import { searchContract } from './contract-search.ts';

/** The marketplace feature as data. */
export const marketplaceContract = {
  ...listingsContract,
  ...searchContract,
  ...publishingContract,
  ...moderationContract,
  ...featuredContract,
  ...claimsContract,
  ...identityContract,
  ...proofContract,
};
