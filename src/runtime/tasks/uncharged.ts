import { userShare } from '#core/fair-queue/share.ts';
import type { RunCaller } from '#runtime/runs/capability.ts';

/** A caller for looking something up, which is never charged. */
export const uncharged = (user_id: string): RunCaller => ({
  user_id,
  share: userShare(user_id),
  charge: async () => {},
  refund: async () => {},
});
