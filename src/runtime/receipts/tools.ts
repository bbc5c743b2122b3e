import type { ResourceTemplate } from '#core/tools/resource.ts';
import type { Tool } from '#core/tools/tool.ts';
import type { ReceiptKeys } from './receipt-keys.ts';
import type { Receipts } from './receipts.ts';
import { receiptVerify } from './tools/receipt-verify.ts';

/** MCP tools for receipts. */

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

/** `receipt://{id}`: the bundle, as GET /api/receipts/{id} returns it. */
const receiptResource = ({ receipts }: Pick<ReceiptsToolsDeps, 'receipts'>): ResourceTemplate => ({
  uri_template: 'receipt://{id}',
  name: 'receipt',
  title: 'Receipt of a run',
  description: 'The signed bundle of a run, by the receipt_id of its task; receipt_verify checks it.',
  media_type: 'application/json',
  read: async ({ id = '' }) => {
    const bundle = await receipts.bundle(id);
    return bundle === undefined ? null : { media_type: 'application/json', content: JSON.stringify(bundle) };
  },
});
