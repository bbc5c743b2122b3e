import type { Share } from '#core/fair-queue/share.ts';
import type { Caller } from './caller.ts';

/**
 * Returns the share of a request in queues: all unproven accounts of one network form one share. `address` is the
 * client's.
 */
export function shareOf({ caller, address }: { caller: Caller | null; address: string | null }): Share {
  if (caller === null) return { user_id: null, address };
  const { user_id, unproven_network } = caller;
  return unproven_network === null ? { user_id, address } : { user_id, address: unproven_network, is_new: true };
}
