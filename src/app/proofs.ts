import type { Clock } from '#core/clock/clock.ts';
import type { KeyProvider } from '#core/crypto/secret-keys.ts';
import type { Database } from '#core/db/open.ts';
import { openReceiptKeys } from '#runtime/receipts/receipt-keys.ts';
import { openReceipts } from '#runtime/receipts/receipts.ts';

interface ProofsGround {
  base_url: string;
  db: Database['db'];
  keys: KeyProvider;
  clock: Clock;
}

/** The receipt log is named by the service's address without a scheme, as checkpoints require. */
export function openProofs({ base_url, db, keys, clock }: ProofsGround) {
  const origin = `${base_url.replace(/^https?:\/\//, '')}/receipts`;
  const receipt_keys = openReceiptKeys({ db, keys, clock });
  return { origin, receipt_keys, receipts: openReceipts({ db, keys, clock, receipt_keys, origin }) };
}
