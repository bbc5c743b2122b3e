import { RUNNABLE_REASONS, type RunnableReason } from '#catalog/items/runnable.ts';
import { OWN_SHARE } from '#core/fair-queue/share.ts';
import type { Obstacle, ResolveCapability, RunCaller } from './capability.ts';

/** Nobody in particular: nothing is run for them. */
const NOBODY: RunCaller = {
  user_id: null,
  share: OWN_SHARE,
  charge: async () => {},
  refund: async () => {},
};

/** Why a first-party skill cannot be run here now, as listings say it; null where it can. */
export const skillRunnable =
  (resolve: ResolveCapability) =>
  async (name: string): Promise<RunnableReason | null> => {
    const obstacle = await (await resolve({ kind: 'skill', ref: name }, NOBODY)).obstacle();
    return obstacle === null ? null : reasonOf(obstacle);
  };

const reasonOf = ({ reason }: Obstacle): RunnableReason => {
  const known = RUNNABLE_REASONS.find((it) => it === reason);
  return known ?? (reason === 'model_required' ? 'missing_env' : 'unsupported');
};
