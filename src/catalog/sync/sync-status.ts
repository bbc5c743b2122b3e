import { catalogProblem } from '#catalog/errors.ts';
import type { ProviderId } from '#catalog/items/kinds.ts';
import type { Problem } from '#core/problem/problem.ts';
import { errorOf, isLeftOut, type SyncState } from './sync-states.ts';

/** The status of a provider's sync as responses show it. */
export function syncStatusOf(provider: ProviderId, state: SyncState | undefined, enabled: readonly ProviderId[]) {
  const status = describe(provider, state);
  return isLeftOut(provider, state, enabled) ? switchedOff(status) : status;
}

export const providerOff = (): Problem =>
  catalogProblem(
    'registry.provider_failed',
    'Turned off in the settings of this service. Its saved listings are kept.',
    {
      reason: 'disabled',
    },
  );

function switchedOff(status: ReturnType<typeof describe>) {
  const { code, message: detail } = providerOff();
  return { ...status, status: 'disabled', error: { code, detail }, next_run_at: null };
}

const describe = (provider: ProviderId, state: SyncState | undefined) => ({
  provider,
  status: state?.status ?? 'never',
  mode: state?.mode ?? 'full',
  started_at: state?.started_at ?? null,
  finished_at: state?.finished_at ?? null,
  progress: { seen: state?.seen ?? 0, total: state?.total ?? null },
  added: state?.added ?? 0,
  updated: state?.updated ?? 0,
  removed: state?.removed ?? 0,
  rejected: state?.rejected ?? 0,
  error: state === undefined ? null : errorOf(state),
  next_run_at: state?.next_run_at ?? null,
});
