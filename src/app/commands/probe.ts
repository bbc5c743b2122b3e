import { touchProbed } from '#catalog/identity/capabilities.ts';
import { PROBE_USAGE, probeCommand as run } from '#catalog/probes/probe-command.ts';
import { userAgent } from '#catalog/sync/provider-client.ts';
import { systemClock } from '#core/clock/clock.ts';
import { createOutbound } from '#core/outbound/outbound.ts';
import { SERVICE } from '#core/service.ts';
import { packageRefusals } from '#runtime/packaged/refuse-package.ts';
import { openMigrated } from '../database.ts';
import { baseUrl, whyNoFiles } from '../parts.ts';
import { isProduction, readProgramConfig } from '../settings.ts';
import type { Command } from './command.ts';
import { nextSignal } from './signals.ts';

export const probeCommand: Command = {
  summary: 'probe the server of one listing now, and print the result',
  usage: PROBE_USAGE,
  run: async (argv) => {
    const config = readProgramConfig(process.env);
    const { database } = await openMigrated(config);
    const outbound = createOutbound({ allow_loopback: !isProduction(config), user_agent: SERVICE.title });
    const interrupted = new AbortController();
    void nextSignal().then((signal) => interrupted.abort(signal));
    try {
      return await run(argv, process, {
        db: database.db,
        clock: systemClock,
        fetch: outbound.fetch,
        skip: config.probes.skip,
        whyNoFiles,
        refusePackage: packageRefusals(config.runtime),
        user_agent: userAgent(SERVICE.version, baseUrl(config)),
        probed: () => {},
        toolsChecked: touchProbed,
        is_on: config.probes.probe === 'on',
        signal: interrupted.signal,
      });
    } finally {
      await outbound.close();
      await database.close();
    }
  },
};
