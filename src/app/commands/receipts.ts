import { openReceiptKeys } from '#runtime/receipts/receipt-keys.ts';
import { RECEIPTS_USAGE, receiptsCommand as run } from '#runtime/receipts/receipts-command.ts';
import type { Command } from './command.ts';
import { withKeys } from './with-keys.ts';

export const receiptsCommand: Command = {
  summary: 'rotate the receipt signing key',
  usage: RECEIPTS_USAGE,
  run: (argv) =>
    withKeys(({ db, clock, keys }) =>
      run(argv, process, { db, clock, keys, receipt_keys: openReceiptKeys({ db, clock, keys }) }),
    ),
};
