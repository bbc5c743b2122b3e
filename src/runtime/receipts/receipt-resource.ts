import type { ResourceTemplate } from '#core/tools/resource.ts';
import type { Receipts } from './receipts.ts';

/** `receipt://{id}`: the bundle of a run, for whoever knows its id, as GET /api/receipts/{id} has it. */
export const receiptResource = ({ receipts }: { receipts: Pick<Receipts, 'bundle'> }): ResourceTemplate => ({
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
