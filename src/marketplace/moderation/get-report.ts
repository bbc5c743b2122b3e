import { type Handler, json } from '#core/http/operation.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import type { moderationContract } from './contract.ts';
import { reportNotFound } from './refusals.ts';
import { findReport } from './reports.ts';
import { reportShown } from './shapes.ts';

/** GET /api/marketplace/reports/{id} */
export const getReport =
  ({ db }: Pick<MarketplaceDeps, 'db'>): Handler<typeof moderationContract.getReport> =>
  async ({ params: { id }, caller }) => {
    const report = id.includes('\0') ? undefined : await findReport(db, id);
    const may = report !== undefined && (caller?.is_operator === true || report.reporter_id === caller?.user_id);
    if (!may) throw reportNotFound();
    return json(reportShown(report));
  };
