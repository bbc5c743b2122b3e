import { touchProbed } from '#catalog/identity/capabilities.ts';
import { PROBE_USAGE, probeCommand as run } from '#catalog/probes/probe-command.ts';
import { userAgent } from '#catalog/sync/provider-client.ts';
import { systemClock } from '#core/clock/clock.ts';
import { createLog } from '#core/log.ts';
import { createMetrics } from '#core/metrics/metrics.ts';
import { createOutbound } from '#core/outbound/outbound.ts';
import { SERVICE } from '#core/service.ts';
import { whyNoFiles } from '#runtime/bundles/source-of.ts';
import { baseUrl } from '../addresses.ts';
import { openMigrated } from '../database.ts';
import { openPackaged } from '../packaged.ts';
import { isProduction, readProgramConfig } from '../settings.ts';
import type { Command } from './command.ts';
import { nextSignal } from './signals.ts';

export const probeCommand: Command = {
  summary: 'probe the server of one listing now, and print the result',
  usage: PROBE_USAGE,
  run: async (argv) => {
    const config = readProgramConfig(process.env);
    const { database, data_dir } = await openMigrated(config);
    const outbound = createOutbound({ allow_loopback: !isProduction(config), user_agent: SERVICE.title });
    const production = isProduction(config);
    const log = createLog(config.server.log_level);
    const ground = { config, clock: systemClock, log, metrics: createMetrics(), outbound, data_dir, production };
    const servers = openPackaged(ground);
    const interrupted = new AbortController();
    void nextSignal().then((signal) => interrupted.abort(signal));
    try {
      return await run(argv, process, {
        db: database.db,
        clock: systemClock,
        fetch: outbound.fetch,
        skip: config.probes.skip,
        whyNoFiles,
        refusePackage: servers.refusal,
        servers,
        user_agent: userAgent(SERVICE.version, baseUrl(config)),
        probed: () => {},
        toolsChecked: touchProbed,
        is_on: config.probes.probe === 'on',
        packages_on: config.probes.packages === 'on',
        signal: interrupted.signal,
      });
    } finally {
      await servers.close();
      await outbound.close();
      await database.close();
    }
  },
};
