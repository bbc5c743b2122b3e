import type { ResourceTemplate } from '../../platform/tools/resource.ts';
import type { Tool } from '../../platform/tools/tool.ts';
import type { ReceiptKeys } from './receipt-keys.ts';
import { receiptResource } from './receipt-resource.ts';
import type { Receipts } from './receipts.ts';
import { receiptVerify } from './tools/receipt-verify.ts';

/** What models are offered of receipts. */

export interface ReceiptsToolsDeps {
  receipts: Pick<Receipts, 'bundle'>;
  receipt_keys: Pick<ReceiptKeys, 'published'>;
}

export const receiptsTools = ({ receipt_keys }: ReceiptsToolsDeps): Tool[] => [receiptVerify(receipt_keys)];

export const receiptsResources = (deps: ReceiptsToolsDeps): ResourceTemplate[] => [receiptResource(deps)];
