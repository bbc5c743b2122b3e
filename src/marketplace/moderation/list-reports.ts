import { jsonPage } from '#core/http/json-page.ts';
import type { Handler } from '#core/http/operation.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import type { moderationContract } from './contract.ts';
import { groupOf, idsOf } from './group.ts';
import { listReportRows } from './reports.ts';
import { reportShown } from './shapes.ts';

/** GET /api/marketplace/reports: all for operators, their own for other users. */
export const listReports =
  ({ db }: Pick<MarketplaceDeps, 'db'>): Handler<typeof moderationContract.listReports> =>
  async ({ query: { status, kind, capability_id, limit, offset }, caller, raw_path }) => {
    const reporter_id = caller?.is_operator === true ? null : (caller?.user_id ?? '');
    const capability_ids = capability_id === undefined ? null : idsOf((await groupOf(db, capability_id)).members);
    const page = { limit, offset };
    const { items, total_count } = await listReportRows(db, { status, kind, capability_ids, reporter_id }, page);
    const asked = { status, kind, capability_id };
    return jsonPage({ items: items.map(reportShown), total_count }, page, raw_path, asked);
  };
