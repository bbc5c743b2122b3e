import type { Routes } from '#core/http/operation.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import { appealListing } from './appeal.ts';
import type { moderationContract } from './contract.ts';
import { decideListing } from './decide.ts';
import { getModeration } from './get.ts';
import { getReport } from './get-report.ts';
import { listAppeals } from './list-appeals.ts';
import { listOperatorCases } from './list-cases.ts';
import { listReports } from './list-reports.ts';
import { reportListing } from './report.ts';

export const moderationRoutes = (deps: MarketplaceDeps): Routes<typeof moderationContract> => ({
  report: reportListing(deps),
  listReports: listReports(deps),
  getReport: getReport(deps),
  get: getModeration(deps),
  decide: decideListing(deps),
  appeal: appealListing(deps),
  listAppeals: listAppeals(deps),
  listCases: listOperatorCases(deps),
});
