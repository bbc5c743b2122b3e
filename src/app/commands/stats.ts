import { statsCommand as run, STATS_USAGE } from '#catalog/probes/stats-command.ts';
import { systemClock } from '#core/clock/clock.ts';
import { whyNoFiles } from '#runtime/bundles/source-of.ts';
import { packageRefusals } from '#runtime/packaged/refuse-package.ts';
import { withDatabase } from '../database.ts';
import { readProgramConfig } from '../settings.ts';
import type { Command } from './command.ts';
import { nextSignal } from './signals.ts';

export const statsCommand: Command = {
  summary: 'count listings by provider, and how many run here',
  usage: STATS_USAGE,
  run: async (argv) => {
    const config = readProgramConfig(process.env);
    const interrupted = new AbortController();
    void nextSignal().then((signal) => interrupted.abort(signal));
    return withDatabase(config, ({ database }) =>
      run(argv, process, {
        db: database.db,
        clock: systemClock,
        is_on: config.probes.probe === 'on',
        packages_on: config.probes.packages === 'on',
        whyNoFiles,
        refusePackage: packageRefusals(config.runtime),
        signal: interrupted.signal,
      }),
    );
  },
};
