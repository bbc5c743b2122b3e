import { type Handler, json } from '#core/http/operation.ts';
import { runtimeProblem } from '#runtime/errors.ts';
import type { receiptsContract } from './contract.ts';
import type { Receipts } from './receipts.ts';

export const getReceipt =
  (receipts: Pick<Receipts, 'bundle'>): Handler<typeof receiptsContract.get> =>
  async ({ params }) => {
    const bundle = await receipts.bundle(params.id);
    if (bundle === undefined)
      throw runtimeProblem('receipts.not_found', 'There is no receipt of this id. A task names its own in receipt_id.');
    // A receipt never changes: what was proved stays proved.
    return json(bundle, { cache_control: 'public, max-age=31536000, immutable' });
  };
