import type { Registry } from 'prom-client';
import type { Clock } from '#core/clock/clock.ts';
import type { Log } from '#core/log.ts';
import type { OutboundFetch } from '#core/outbound/outbound.ts';
import { ALONE, type Threads } from '#core/threads/threads.ts';
import { type OwnPackagedServers, openPackagedServers } from '#runtime/packaged/open-packaged-servers.ts';
import type { RuntimeDeps } from '#runtime/packaged/open-runtime.ts';
import { serversOfThreads } from '#runtime/packaged/servers-of-threads.ts';
import type { Config } from './settings.ts';

/** The servers that this process starts from packages. */

interface PackagedGround {
  config: Pick<Config, 'runtime'>;
  clock: Clock;
  log: Log;
  metrics: { registry: Registry };
  outbound: { fetch: OutboundFetch };
  data_dir: string;
  production: boolean;
  threads?: Threads;
}

/** Boxes die with the thread that starts them, so the first thread starts them for all. */
export function openPackaged(ground: PackagedGround, install?: RuntimeDeps['install']): OwnPackagedServers {
  const { config, clock, log, metrics, outbound, data_dir, production, threads = ALONE } = ground;
  const open = () =>
    openPackagedServers({
      config: config.runtime,
      clock,
      log,
      metrics,
      // Loaded with the first package: most processes never start one.
      openRuntime: async () => {
        const { openRuntime } = await import('#runtime/packaged/open-runtime.ts');
        const deps = { config: config.runtime, data_dir, outbound: outbound.fetch, clock };
        return openRuntime({ ...deps, allow_loopback: !production, install });
      },
    });
  return serversOfThreads(threads, config.runtime, open);
}
