import { claimsRoutes } from './claims/routes.ts';
import { collectionsRoutes } from './collections/routes.ts';
import { featuredRoutes } from './featured/routes.ts';
import { identityRoutes } from './identity/routes.ts';
import type { MarketplaceDeps } from './listings/deps.ts';
import { listingsRoutes } from './listings/routes.ts';
import { moderationRoutes } from './moderation/routes.ts';
import { proofRoutes } from './proof/routes.ts';
import { publishersRoutes } from './publishers/routes.ts';
import { publishingRoutes } from './publishing/routes.ts';
import { trustedPublishersRoutes } from './trusted-publishers/routes.ts';

/** The routes of this wing by resource. */
export const marketplaceRoutes = (deps: MarketplaceDeps) => ({
  listings: listingsRoutes(deps),
  publishers: publishersRoutes(deps),
  publishing: publishingRoutes(deps),
  trustedPublishers: trustedPublishersRoutes(deps),
  moderation: moderationRoutes(deps),
  featured: featuredRoutes(deps),
  collections: collectionsRoutes(deps),
  claims: claimsRoutes(deps),
  identity: identityRoutes(deps),
  proof: proofRoutes(deps),
});
