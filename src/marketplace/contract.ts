import { claimsContract } from './claims/contract.ts';
import { collectionsContract } from './collections/contract.ts';
import { featuredContract } from './featured/contract.ts';
import { identityContract } from './identity/contract.ts';
import { listingsContract } from './listings/contract.ts';
import { moderationContract } from './moderation/contract.ts';
import { proofContract } from './proof/contract.ts';
import { publishersContract } from './publishers/contract.ts';
import { publishingContract } from './publishing/contract.ts';
import { trustedPublishersContract } from './trusted-publishers/contract.ts';

/** The operations of this wing by resource, as data. */
export const marketplaceWing = {
  listings: listingsContract,
  publishers: publishersContract,
  publishing: publishingContract,
  trustedPublishers: trustedPublishersContract,
  moderation: moderationContract,
  featured: featuredContract,
  collections: collectionsContract,
  claims: claimsContract,
  identity: identityContract,
  proof: proofContract,
} as const;
