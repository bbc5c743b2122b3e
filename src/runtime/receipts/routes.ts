import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import type { Routes } from '#core/http/operation.ts';
import type { receiptsContract } from './contract.ts';
import { getReceipt } from './get.ts';
import { getCheckpoint } from './get-checkpoint.ts';
import { listReceipts } from './list.ts';
import { listKeys } from './list-keys.ts';
import type { ReceiptKeys } from './receipt-keys.ts';
import type { Receipts } from './receipts.ts';
import { verifyReceipt } from './verify.ts';

interface ReceiptsRoutesDeps {
  db: Kysely<Schema>;
  receipts: Receipts;
  receipt_keys: ReceiptKeys;
  origin: string;
  config: { receipts: { trusted_keys: readonly string[] } };
}

export const receiptsRoutes = (deps: ReceiptsRoutesDeps): Routes<typeof receiptsContract> => ({
  list: listReceipts(deps.db),
  get: getReceipt(deps.receipts),
  verify: verifyReceipt({ ...deps, ...deps.config.receipts }),
  getCheckpoint: getCheckpoint(deps),
  listKeys: listKeys(deps.receipt_keys, deps.origin),
});
