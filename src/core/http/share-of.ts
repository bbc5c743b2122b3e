import type { Share } from '#core/fair-queue/share.ts';
import type { Caller } from './caller.ts';

/**
 * Whose turn a request takes where work is queued: all unproven accounts of one network take turns as one. `address` is the
 * client's, of the request.
 */
export function shareOf({ caller, address }: { caller: Caller | null; address: string | null }): Share {
  if (caller === null) return { user_id: null, address };
  const { user_id, unproven_network } = caller;
  return unproven_network === null ? { user_id, address } : { user_id, address: unproven_network, is_new: true };
}
