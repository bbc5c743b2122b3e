import type { Registry } from 'prom-client';
import type { ReadRunnable } from '#catalog/items/runnable.ts';
import type { Values } from '#core/config/config.ts';
import type { Database } from '#core/db/open.ts';
import type { JobTable } from '#core/jobs/jobs.ts';
import type { JobKind } from '#core/jobs/worker.ts';
import type { Log } from '#core/log.ts';
import { gaugeProbes } from './gauges.ts';
import { HOST_JOB, PLAN_JOB, plan } from './plan.ts';
import { type RunnableDeps, readRunnable } from './runnable.ts';
import type { PROBES_SETTINGS } from './settings.ts';
import { type ProbesDeps, visitHost } from './visit-host.ts';

/** The door to probes: the work for the worker, and what it found for readers. */
export interface Probes {
  /** Empty while visiting is switched off: nothing is planned and nobody is visited. */
  kinds: Record<string, JobKind>;
  schedule(): Promise<void>;
  readRunnable: ReadRunnable;
}

export interface ProbesOptions
  extends Pick<ProbesDeps, 'fetch' | 'clock' | 'user_agent' | 'limits' | 'toolsChecked'>,
    Pick<RunnableDeps, 'whyNoFiles'> {
  database: Database;
  jobs: JobTable;
  log: Log;
  metrics: { registry: Registry };
  config: Values<typeof PROBES_SETTINGS>;
  /** Where others find out who visits them; null where nobody has said. */
  public_url: string | null;
}

export function openProbes({ database, jobs, config, metrics, log, ...options }: ProbesOptions): Probes {
  const { db } = database;
  const is_on = config.probe === 'on';
  const { visited } = gaugeProbes(metrics.registry, { db, clock: options.clock });
  const deps: ProbesDeps = { ...options, db, visited, skip: config.skip };
  return {
    readRunnable: readRunnable({ ...options, db, is_on }),
    kinds: is_on
      ? {
          [PLAN_JOB]: { concurrency: 1, handler: plan({ ...deps, jobs }) },
          [HOST_JOB]: { concurrency: config.concurrency, handler: visitHost(deps) },
        }
      : {},
    schedule: async () => {
      if (!is_on) return;
      if (options.public_url === null)
        log.warn({}, 'servers are visited without an address to complain to; set PUBLIC_URL');
      await jobs.put({ kind: PLAN_JOB, key: 'plan' });
    },
  };
}
