import { resolve } from 'node:path';
import { systemClock } from '#core/clock/clock.ts';
import { createOutbound } from '#core/outbound/outbound.ts';
import { SERVICE } from '#core/service.ts';
import { PACKAGE_USAGE, packageCommand as run } from '#runtime/packaged/package-command.ts';
import { isProduction, readProgramConfig } from '../settings.ts';
import type { Command } from './command.ts';
import { nextSignal } from './signals.ts';

export const packageCommand: Command = {
  summary: 'prepare a package, start it in a box without network, and list its tools',
  usage: PACKAGE_USAGE,
  run: async (argv) => {
    const config = readProgramConfig(process.env);
    const allow_loopback = !isProduction(config);
    const outbound = createOutbound({ allow_loopback, user_agent: SERVICE.title });
    const interrupted = new AbortController();
    void nextSignal().then((signal) => interrupted.abort(signal));
    const open = async () => {
      const { openRuntime } = await import('#runtime/packaged/open-runtime.ts');
      return openRuntime({
        config: config.runtime,
        data_dir: resolve(config.server.data_dir),
        outbound: outbound.fetch,
        clock: systemClock,
        allow_loopback,
      });
    };
    try {
      return await run(argv, process, { open, signal: interrupted.signal });
    } finally {
      await outbound.close();
    }
  },
};
