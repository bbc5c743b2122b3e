import { type Handler, json } from '#core/http/operation.ts';
import { runtimeProblem } from '#runtime/errors.ts';
import type { receiptsContract } from './contract.ts';
import type { Receipts } from './receipts.ts';

export const getReceipt =
  (receipts: Pick<Receipts, 'bundle'>): Handler<typeof receiptsContract.get> =>
  async ({ params }) => {
    const bundle = await receipts.bundle(params.id);
    if (bundle === undefined)
      throw runtimeProblem('receipts.not_found', 'Receipt not found. The receipt of a task is in its receipt_id.');
    // Receipts never change, so they can be cached forever.
    return json(bundle, { cache_control: 'public, max-age=31536000, immutable' });
  };
