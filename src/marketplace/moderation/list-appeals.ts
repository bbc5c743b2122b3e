import { jsonPage } from '#core/http/json-page.ts';
import type { Handler } from '#core/http/operation.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import type { moderationContract } from './contract.ts';
import { listAppealRows } from './measures.ts';
import { appealShown } from './shapes.ts';

/** GET /api/marketplace/appeals: all for operators, their own for other users. */
export const listAppeals =
  ({ db }: Pick<MarketplaceDeps, 'db'>): Handler<typeof moderationContract.listAppeals> =>
  async ({ query: { status, limit, offset }, caller, raw_path }) => {
    const user_id = caller?.is_operator === true ? null : (caller?.user_id ?? '');
    const { items, total_count } = await listAppealRows(db, { status, user_id }, { limit, offset });
    return jsonPage({ items: items.map(appealShown), total_count }, { limit, offset }, raw_path, { status });
  };
