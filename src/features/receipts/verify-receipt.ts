import { type Handler, json } from '../../platform/http/operation.ts';
import { verifyBundle } from './bundle.ts';
import type { receiptsContract } from './contract.ts';
import type { ReceiptKeys } from './receipt-keys.ts';

export const verifyReceipt =
  (keys: Pick<ReceiptKeys, 'published'>): Handler<typeof receiptsContract.verifyReceipt> =>
  async ({ body }) => {
    const verdict = verifyBundle(body);
    if (!verdict.valid) {
      const { failed, detail } = verdict;
      return json({ valid: false, issuer: 'unknown', failed, detail, key_id: null, log: null, statement: null });
    }
    const { statement, checkpoint, key_id, index } = verdict;
    const ours = (await keys.published()).some(({ kid }) => kid === key_id);
    return json({
      valid: true,
      issuer: ours ? 'this_service' : 'unknown',
      failed: null,
      detail: ours ? 'Signed by this service, and in its log.' : 'Internally consistent, issuer unknown.',
      key_id,
      log: { origin: checkpoint.origin, index, size: checkpoint.size },
      statement,
    });
  };
