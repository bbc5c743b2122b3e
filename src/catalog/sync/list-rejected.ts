import type { Kysely } from 'kysely';
import type { RejectedRow, Schema } from '#core/db/schema.ts';
import { jsonPage } from '#core/http/json-page.ts';
import type { Handler } from '#core/http/operation.ts';
import type { syncContract } from './contract.ts';
import { listRejected as readRejected } from './rejected.ts';

/** GET /api/marketplace/registry/rejected */
export const listRejected =
  ({ db }: { db: Kysely<Schema> }): Handler<typeof syncContract.listRejected> =>
  async ({ raw_path, query: { provider, limit, offset } }) => {
    const { items, total_count } = await readRejected(db, { provider, limit, offset });
    return jsonPage({ items: items.map(shown), total_count }, { limit, offset }, raw_path, { provider });
  };

const shown = ({ provider_id, external_id, reason, raw, rejected_at }: RejectedRow) => ({
  provider_id,
  external_id,
  reason,
  raw,
  rejected_at,
});
