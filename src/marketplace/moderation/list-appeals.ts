import { jsonPage } from '#core/http/json-page.ts';
import type { Handler } from '#core/http/operation.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import type { moderationContract } from './contract.ts';
import { groupOf, idsOf } from './group.ts';
import { listAppealRows } from './measures.ts';
import { appealShown } from './shapes.ts';

/** GET /api/marketplace/appeals: all for operators, their own for other users. */
export const listAppeals =
  ({ db }: Pick<MarketplaceDeps, 'db'>): Handler<typeof moderationContract.listAppeals> =>
  async ({ query: { status, capability_id, limit, offset }, caller, raw_path }) => {
    const user_id = caller?.is_operator === true ? null : (caller?.user_id ?? '');
    const capability_ids = capability_id === undefined ? null : idsOf((await groupOf(db, capability_id)).members);
    const page = { limit, offset };
    const { items, total_count } = await listAppealRows(db, { status, capability_ids, user_id }, page);
    return jsonPage({ items: items.map(appealShown), total_count }, page, raw_path, { status, capability_id });
  };
