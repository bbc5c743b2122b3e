import { systemClock } from '#core/clock/clock.ts';
import { MODERATION_USAGE, moderationCommand as run } from '#marketplace/moderation/moderation-command.ts';
import { baseUrl } from '../addresses.ts';
import { withDatabase } from '../database.ts';
import { readProgramConfig } from '../settings.ts';
import type { Command } from './command.ts';

export const moderationCommand: Command = {
  summary: 'list reports, flag and take down capabilities, decide appeals',
  run: async (argv) => {
    if (argv.length === 0 || argv.some((text) => text === '--help' || text === '-h')) {
      process.stdout.write(MODERATION_USAGE);
      return argv.length === 0 ? 2 : 0;
    }
    const config = readProgramConfig(process.env);
    return withDatabase(config, ({ database }) => {
      const { db, engine } = database;
      return run(argv, process, { db, engine, clock: systemClock, base_url: baseUrl(config) });
    });
  },
};
