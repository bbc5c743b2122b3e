import type { Registry } from 'prom-client';
import type { RefusePackage } from '#catalog/install/server-of.ts';
import type { CountedCoverage } from '#catalog/items/describe-stats.ts';
import type { ProbeAsked, ReadRunnable } from '#catalog/items/runnable.ts';
import type { Values } from '#core/config/config.ts';
import type { Database } from '#core/db/open.ts';
import { defined } from '#core/defined.ts';
import type { JobTable } from '#core/jobs/jobs.ts';
import type { JobKind } from '#core/jobs/worker.ts';
import type { Log } from '#core/log.ts';
import { COVERAGE_JOB, keepCoverage, readCoverage } from './coverage-job.ts';
import { gaugeProbes } from './gauges.ts';
import { HOST_JOB, PLAN_JOB, plan } from './plan.ts';
import { probeAsked } from './probe-asked.ts';
import { type ProbesDeps, probeHost } from './probe-host.ts';
import type { StartPackages } from './probe-package.ts';
import { PACKAGE_JOB, probePackages, slotKeys } from './probe-packages.ts';
import { type RunnableDeps, readRunnable } from './runnable.ts';
import type { PROBES_SETTINGS } from './settings.ts';

/** Opens the probes: their jobs, and the reader of their results. */
interface Probes {
  kinds: Record<string, JobKind>;
  schedule(): Promise<void>;
  readRunnable: ReadRunnable;
  probeAsked: ProbeAsked;
  readCoverage(): Promise<CountedCoverage | null>;
}

interface ProbesOptions
  extends Pick<ProbesDeps, 'fetch' | 'clock' | 'user_agent' | 'limits' | 'toolsChecked'>,
    Pick<RunnableDeps, 'whyNoFiles' | 'refusePackage'> {
  database: Database;
  jobs: JobTable;
  log: Log;
  metrics: { registry: Registry };
  config: Values<typeof PROBES_SETTINGS>;
  /** Contact address in the User-Agent; null if not configured. */
  public_url: string | null;
  servers: StartPackages;
  /** By the settings alone: a machine that cannot hold a box today still has the same packages to probe. */
  refuseBySettings: RefusePackage;
  /** A digest of these settings. */
  package_rules: string;
}

export function openProbes({ database, jobs, config, metrics, log, ...options }: ProbesOptions): Probes {
  const { db } = database;
  const is_on = config.probe === 'on';
  const packages_on = config.packages === 'on';
  const { probed } = gaugeProbes(metrics.registry, { db, clock: options.clock });
  const deps: ProbesDeps = { ...options, db, probed, skip: config.skip };
  const { packages_concurrency: concurrency, packages_per_day: per_day } = config;
  const wakePackages = async () => {
    if (packages_on) for (const key of slotKeys(concurrency)) await jobs.put({ kind: PACKAGE_JOB, key });
  };
  const planning = {
    ...deps,
    jobs,
    is_on,
    refusePackage: options.refuseBySettings,
    rules: options.package_rules,
    wakePackages,
  };
  const { clock } = options;
  const runnable = { ...options, db, is_on, packages_on, refusePackage: options.refuseBySettings };
  const packages = { ...deps, servers: options.servers, concurrency, per_day };
  return {
    readRunnable: readRunnable({ ...runnable, refusePackage: options.refusePackage }),
    probeAsked: probeAsked({ ...deps, is_on, refusePackage: options.refusePackage }),
    readCoverage: () => readCoverage(db),
    kinds: {
      [COVERAGE_JOB]: { concurrency: 1, handler: keepCoverage({ ...runnable, clock, rules: options.package_rules }) },
      ...defined({
        [PLAN_JOB]: is_on || packages_on ? { concurrency: 1, handler: plan(planning) } : undefined,
        [HOST_JOB]: is_on ? { concurrency: config.concurrency, handler: probeHost(deps) } : undefined,
        [PACKAGE_JOB]: packages_on ? { concurrency, handler: probePackages(packages) } : undefined,
      }),
    },
    schedule: async () => {
      if (is_on && options.public_url === null) log.warn({}, 'probe User-Agent has no contact URL; set PUBLIC_URL');
      if (is_on || packages_on) await jobs.put({ kind: PLAN_JOB, key: 'plan' });
      await wakePackages();
      await jobs.put({ kind: COVERAGE_JOB, key: 'all' });
    },
  };
}
