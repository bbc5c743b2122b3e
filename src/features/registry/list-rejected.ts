import type { Kysely } from 'kysely';
import type { Schema } from '../../platform/db/schema.ts';
import { type Handler, json } from '../../platform/http/operation.ts';
import type { registryContract } from './contract.ts';
import { listRejected as readRejected } from './sync/rejected.ts';

/** GET /api/marketplace/registry/rejected */
export const listRejected =
  ({ db }: { db: Kysely<Schema> }): Handler<typeof registryContract.listRejected> =>
  async ({ query: { provider, limit, offset } }) => {
    const { rows, total_count } = await readRejected(db, { provider, limit, offset });
    const items = rows.map(({ provider_id, external_id, reason, raw, rejected_at }) => ({
      provider_id,
      external_id,
      reason,
      raw,
      rejected_at,
    }));
    const link = pageLinks({ provider, limit, offset }, total_count);
    return json({ items, total_count, limit, offset }, link === '' ? {} : { headers: { link } });
  };

/** RFC 8288; a URL of only a query string keeps the path that was asked. */
const pageLinks = (
  page: { provider?: string | undefined; limit: number; offset: number },
  total_count: number,
): string => {
  const to = (rel: string, offset: number): string => {
    const query = new URLSearchParams({ limit: String(page.limit), offset: String(offset) });
    if (page.provider !== undefined) query.set('provider', page.provider);
    return `<?${query}>; rel="${rel}"`;
  };
  return [
    ...(page.offset + page.limit < total_count ? [to('next', page.offset + page.limit)] : []),
    ...(page.offset > 0 ? [to('prev', Math.max(0, page.offset - page.limit))] : []),
  ].join(', ');
};
