import type { Log } from '#core/log.ts';
import type { Problem } from '#core/problem/problem.ts';
import { isProblem } from '#core/problem/problem.ts';
import type { Provider } from './provider.ts';
import { errorOf, type SyncState } from './sync-states.ts';

/** Logs one line per change of state, and a single one for all providers if there is no network. */
export interface SyncReport {
  started(provider: Provider, state: SyncState): void;
  ended(provider: Provider, state: SyncState): void;
  disabled(provider: Provider, reason: string): void;
  /** `before` is the state before this run. */
  failed(provider: Provider, problem: Problem, before: SyncState): void;
}

export function createSyncReport(log: Log): SyncReport {
  let cutOff = false;
  const unreachable = (provider: Provider, problem: Problem): void => {
    const level = cutOff ? 'debug' : 'warn';
    cutOff = true;
    log[level](
      { provider: provider.id },
      `${provider.title}: ${problem.message} If this host has no outbound network access, set CAPSTAN_PROVIDERS=off and ` +
        'import listings with `capstand import FILE`. Logged once for all providers.',
    );
  };
  return {
    // Retries after a failure are logged at a lower level.
    started: ({ id, title }, { mode, cursor, failures }) =>
      log[failures > 0 ? 'debug' : 'info'](
        { provider: id, mode },
        `${title}: ${mode} sync ${cursor === null ? 'started' : 'resumed'}`,
      ),
    ended: ({ id, title }, state) => {
      cutOff = false;
      const { status, mode, seen, added, updated, removed, rejected } = state;
      const counts = { seen, added, updated, removed, rejected };
      if (status === 'partial')
        log.warn({ provider: id, mode, ...counts }, `${title}: ${mode} sync partial, ${errorOf(state)?.detail}`);
      else log.info({ provider: id, mode, ...counts }, `${title}: ${mode} sync ${status}`);
    },
    disabled: ({ id, title }, reason) => log.info({ provider: id }, `${title}: disabled. ${reason}`),
    failed: (provider, problem, before) => {
      if (isProblem(problem, 'outbound.failed', 'unreachable')) return unreachable(provider, problem);
      const last = errorOf(before);
      const same = last?.code === problem.code && last.reason === problem.reason;
      const level = same ? 'debug' : 'warn';
      log[level](
        { provider: provider.id, code: problem.code, reason: problem.reason },
        `${provider.title}: sync failed. ${problem.message}`,
      );
    },
  };
}
