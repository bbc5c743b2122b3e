import { type Handler, json } from '../../platform/http/operation.ts';
import type { receiptsContract } from './contract.ts';
import type { ReceiptKeys } from './receipt-keys.ts';
import { verdictOf } from './verdict.ts';

export const verifyReceipt =
  (keys: Pick<ReceiptKeys, 'published'>): Handler<typeof receiptsContract.verifyReceipt> =>
  async ({ body }) =>
    json(await verdictOf(keys, body));
