import { type Handler, json } from '#core/http/operation.ts';
import type { receiptsContract } from './contract.ts';
import type { ReceiptKeys } from './receipt-keys.ts';

export const listKeys =
  (keys: Pick<ReceiptKeys, 'published'>, origin: string): Handler<typeof receiptsContract.listKeys> =>
  async () =>
    json({ origin, keys: await keys.published() });
