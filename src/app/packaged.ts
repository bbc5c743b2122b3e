import type { Registry } from 'prom-client';
import type { Clock } from '#core/clock/clock.ts';
import type { Log } from '#core/log.ts';
import type { OutboundFetch } from '#core/outbound/outbound.ts';
import { type OwnPackagedServers, openPackagedServers } from '#runtime/packaged/open-packaged-servers.ts';
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
}

/** What runs them is loaded with the first package: most processes never start one. */
export const openPackaged = ({
  config,
  clock,
  log,
  metrics,
  outbound,
  data_dir,
  production,
}: PackagedGround): OwnPackagedServers =>
  openPackagedServers({
    config: config.runtime,
    clock,
    log,
    metrics,
    openRuntime: async () => {
      const { openRuntime } = await import('#runtime/packaged/open-runtime.ts');
      const allow_loopback = !production;
      return openRuntime({ config: config.runtime, data_dir, outbound: outbound.fetch, clock, allow_loopback });
    },
  });
