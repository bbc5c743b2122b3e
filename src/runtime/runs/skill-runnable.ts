import { RUNNABLE_REASONS, type RunnableReason } from '#catalog/items/runnable.ts';
import { OPERATOR } from './caller.ts';
import type { ResolveCapability, Unavailable } from './capability.ts';

/** Why a first-party skill cannot be run here now, in the format of listings; null if it can. */
export const skillRunnable =
  (resolve: ResolveCapability) =>
  async (name: string): Promise<RunnableReason | null> => {
    const unavailable = await (await resolve({ kind: 'skill', ref: name }, OPERATOR)).whyUnavailable();
    return unavailable === null ? null : reasonOf(unavailable);
  };

function reasonOf({ reason }: Unavailable): RunnableReason {
  const known = RUNNABLE_REASONS.find((candidate) => candidate === reason);
  return known ?? (reason === 'model_required' ? 'missing_env' : 'unsupported');
}
