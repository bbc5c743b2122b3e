import type { Values } from '#core/config/config.ts';
import { scheduleExpiry } from '#core/jobs/expiry.ts';
import type { JobTable } from '#core/jobs/jobs.ts';
import type { JobKind } from '#core/jobs/worker.ts';
import type { TasksDeps } from '#runtime/tasks/deps.ts';
import type { TrialsDeps } from './deps.ts';
import { expireTrialsKinds, TRIAL_JOBS } from './expire-trials.ts';
import type { TRIAL_SETTINGS } from './settings.ts';

/** Runs of callers without an account: their operations, and the work for the worker. */
export interface Trials {
  deps: TrialsDeps;
  kinds: Record<string, JobKind>;
  /** Starts the repeated jobs. For worker processes. */
  schedule(): Promise<void>;
}

interface TrialsOptions extends Pick<TrialsDeps, 'skills' | 'packaged'> {
  tasks: TasksDeps;
  config: Values<typeof TRIAL_SETTINGS>;
  jobs: Pick<JobTable, 'put'>;
}

export function openTrials({ tasks, skills, packaged, config, jobs }: TrialsOptions): Trials {
  const { kept_ms, ...limits } = config;
  return {
    deps: { tasks, skills, packaged, limits, kept_ms },
    kinds: expireTrialsKinds({ db: tasks.db, clock: tasks.clock, kept_ms }),
    schedule: async () => {
      for (const kind of TRIAL_JOBS) await scheduleExpiry(jobs, kind);
    },
  };
}
