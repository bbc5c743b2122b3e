import type { ResourceTemplate } from '#core/tools/resource.ts';
import type { Tool } from '#core/tools/tool.ts';
import type { ReceiptKeys } from './receipt-keys.ts';
import { receiptResource } from './receipt-resource.ts';
import type { Receipts } from './receipts.ts';
import { receiptVerify } from './tools/receipt-verify.ts';

/** What models are offered of receipts. */

interface ReceiptsToolsDeps {
  receipts: Pick<Receipts, 'bundle'>;
  receipt_keys: Pick<ReceiptKeys, 'published'>;
  config: { receipts: { trusted_keys: readonly string[] } };
}

export const receiptsTools = ({ receipt_keys, config }: ReceiptsToolsDeps): Tool[] => [
  receiptVerify({ receipt_keys, ...config.receipts }),
];

export const receiptsResources = (deps: Pick<ReceiptsToolsDeps, 'receipts'>): ResourceTemplate[] => [
  receiptResource(deps),
];
