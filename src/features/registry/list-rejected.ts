import type { Kysely } from 'kysely';
import type { Schema } from '../../platform/db/schema.ts';
import { type Handler, json } from '../../platform/http/operation.ts';
import { pageLinks } from '../../platform/http/page-links.ts';
import type { registryContract } from './contract.ts';
import { listRejected as readRejected } from './sync/rejected.ts';

/** GET /api/marketplace/registry/rejected */
export const listRejected =
  ({ db }: { db: Kysely<Schema> }): Handler<typeof registryContract.listRejected> =>
  async ({ raw_path, query: { provider, limit, offset } }) => {
    const { rows, total_count } = await readRejected(db, { provider, limit, offset });
    const items = rows.map(({ provider_id, external_id, reason, raw, rejected_at }) => ({
      provider_id,
      external_id,
      reason,
      raw,
      rejected_at,
    }));
    const of = provider === undefined ? '' : `provider=${provider}&`;
    const headers = pageLinks(raw_path, { limit, offset, total_count }, `${of}limit=${limit}`);
    return json({ items, total_count, limit, offset }, { headers });
  };
