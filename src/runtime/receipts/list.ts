import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { receiptsContract } from './contract.ts';
import { listOwnReceipts } from './own-receipts.ts';

/** GET /api/receipts */
export const listReceipts =
  (db: Kysely<Schema>): Handler<typeof receiptsContract.list> =>
  async ({ query: { limit, before }, caller: { user_id } }) => {
    const found = await listOwnReceipts(db, { user_id, before: before ?? null, limit: limit + 1 });
    const items = found.slice(0, limit);
    return json({ items, next: found.length > limit ? (items.at(-1)?.id ?? null) : null });
  };
