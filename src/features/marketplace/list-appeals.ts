import { type Handler, json } from '../../platform/http/operation.ts';
import { pageLinks } from '../../platform/http/page-links.ts';
import type { marketplaceContract } from './contract.ts';
import type { MarketplaceDeps } from './deps.ts';
import { listAppealRows } from './moderation/measures.ts';
import { appealShown } from './moderation/shapes.ts';

/** GET /api/marketplace/appeals: everybody's for operators, the caller's own for others. */
export const listAppeals =
  ({ db }: Pick<MarketplaceDeps, 'db'>): Handler<typeof marketplaceContract.listAppeals> =>
  async ({ query: { status, limit, offset }, caller, raw_path }) => {
    const user_id = caller?.is_operator === true ? null : (caller?.user_id ?? '');
    const { items, total_count } = await listAppealRows(db, { status, user_id }, { limit, offset });
    const asked = `${status === undefined ? '' : `status=${status}&`}limit=${limit}`;
    const headers = pageLinks(raw_path, { limit, offset, total_count }, asked);
    return json({ items: items.map(appealShown), total_count, limit, offset }, { headers });
  };
