import { storageGate } from '#accounts/quotas/storage.ts';
import type { StorageGate } from '#core/storage/gate.ts';

const MB = 1_000_000;

/** As much storage for each account as the largest tier has. */
export const ROOMY: StorageGate = storageOf(10_000 * MB);

/** So many bytes for each account, whatever its tier. */
export function storageOf(bytes: number): StorageGate {
  return storageGate({ free: bytes, casual: bytes, pro: bytes });
}
