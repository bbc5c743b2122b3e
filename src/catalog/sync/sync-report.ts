import type { Log } from '#core/log.ts';
import type { Problem } from '#core/problem/problem.ts';
import type { Provider } from './provider.ts';
import { errorOf, type SyncState } from './sync-states.ts';

/** One plain line per change of state, and one in all where there is no way out to the network. */
export interface SyncReport {
  started(provider: Provider, state: SyncState): void;
  ended(provider: Provider, state: SyncState): void;
  disabled(provider: Provider, reason: string): void;
  /** `before` = the state of the run before this one. */
  failed(provider: Provider, problem: Problem, before: SyncState): void;
}

export const createSyncReport = (log: Log): SyncReport => {
  let cut_off = false;
  const unreachable = (provider: Provider, problem: Problem): void => {
    const level = cut_off ? 'debug' : 'warn';
    cut_off = true;
    log[level](
      { provider: provider.id },
      `${provider.title}: ${problem.message} If this machine has no way out to the network, the registry serves what ` +
        'it has; fill it with `capstand import FILE`, or set CAPSTAN_PROVIDERS=off. Said once for all providers.',
    );
  };
  return {
    // After a failure every try would say so again.
    started: ({ id, title }, { mode, cursor, failures }) =>
      log[failures > 0 ? 'debug' : 'info'](
        { provider: id, mode },
        `${title}: ${mode} sync ${cursor === null ? 'started' : 'taken up again'}`,
      ),
    ended: ({ id, title }, state) => {
      cut_off = false;
      const { status, mode, seen, added, updated, removed, rejected } = state;
      const counts = { seen, added, updated, removed, rejected };
      if (status === 'partial')
        log.warn({ provider: id, mode, ...counts }, `${title}: ${mode} sync partial, ${errorOf(state)?.detail}`);
      else log.info({ provider: id, mode, ...counts }, `${title}: ${mode} sync ${status}`);
    },
    disabled: ({ id, title }, reason) => log.info({ provider: id }, `${title}: disabled. ${reason}`),
    failed: (provider, problem, before) => {
      if (problem.code === 'outbound.unreachable') return unreachable(provider, problem);
      const same = errorOf(before)?.code === problem.code;
      const level = same ? 'debug' : 'warn';
      log[level]({ provider: provider.id, code: problem.code }, `${provider.title}: sync failed. ${problem.message}`);
    },
  };
};
