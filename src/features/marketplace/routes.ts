import type { Routes } from '../../platform/http/operation.ts';
import { appealListing } from './appeal-listing.ts';
import { claimListing } from './claim-listing.ts';
import type { marketplaceContract } from './contract.ts';
import { decideListing } from './decide-listing.ts';
import { deprecateListing } from './deprecate-listing.ts';
import type { MarketplaceDeps } from './deps.ts';
import { featureListing } from './feature-listing.ts';
import { getFile } from './get-file.ts';
import { getListing } from './get-listing.ts';
import { getListingMd } from './get-listing-md.ts';
import { getModeration } from './get-moderation.ts';
import { getProof } from './get-proof.ts';
import { getPublisher } from './get-publisher.ts';
import { getReport } from './get-report.ts';
import { getStats } from './get-stats.ts';
import { getVersion } from './get-version.ts';
import { listAppeals } from './list-appeals.ts';
import { listClaims } from './list-claims.ts';
import { listFeatured } from './list-featured.ts';
import { listListings } from './list-listings.ts';
import { listReports } from './list-reports.ts';
import { mergeListing } from './merge-listing.ts';
import { publishListing } from './publish-listing.ts';
import { reportListing } from './report-listing.ts';
import { restoreListing } from './restore-listing.ts';
import { revokeClaim } from './revoke-claim.ts';
import { searchMarketplace } from './search-marketplace.ts';
import { splitListing } from './split-listing.ts';
import { unfeatureListing } from './unfeature-listing.ts';
import { unpublishListing } from './unpublish-listing.ts';
import { verifyClaim } from './verify-claim.ts';
import { yankListing } from './yank-listing.ts';

export const marketplaceRoutes = (deps: MarketplaceDeps): Routes<typeof marketplaceContract> => ({
  listListings: listListings(deps),
  searchMarketplace: searchMarketplace(deps),
  getStats: getStats(deps),
  getListing: getListing(deps),
  getListingMd: getListingMd(deps),
  getVersion: getVersion(deps),
  getFile: getFile(deps),
  getPublisher: getPublisher(deps),
  getProof: getProof(deps),
  publishListing: publishListing(deps),
  unpublishListing: unpublishListing(deps),
  mergeListing: mergeListing(deps),
  splitListing: splitListing(deps),
  yankListing: yankListing(deps),
  deprecateListing: deprecateListing(deps),
  restoreListing: restoreListing(deps),
  reportListing: reportListing(deps),
  listReports: listReports(deps),
  getReport: getReport(deps),
  getModeration: getModeration(deps),
  decideListing: decideListing(deps),
  appealListing: appealListing(deps),
  listAppeals: listAppeals(deps),
  listFeatured: listFeatured(deps),
  featureListing: featureListing(deps),
  unfeatureListing: unfeatureListing(deps),
  claimListing: claimListing(deps),
  verifyClaim: verifyClaim(deps),
  listClaims: listClaims(deps),
  revokeClaim: revokeClaim(deps),
});
