import { type Handler, json } from '#core/http/operation.ts';
import type { receiptsContract } from './contract.ts';
import { bundleIn, type Trust, verdictOf } from './verdict.ts';

/** POST /api/receipts/verify */
export const verifyReceipt =
  (trust: Trust): Handler<typeof receiptsContract.verify> =>
  async ({ body }) =>
    json(await verdictOf(trust, bundleIn(body)));
