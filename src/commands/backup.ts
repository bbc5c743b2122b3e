import { databasePlace } from '../database.ts';
import { BACKUP_USAGE, backupCommand as run } from '../features/backup/backup-command.ts';
import { systemClock } from '../platform/clock.ts';
import { SERVICE } from '../platform/service.ts';
import { SEALED_COLUMNS } from '../sealed-columns.ts';
import { type Config, isProduction, readProgramConfig } from '../settings.ts';
import type { Command } from './command.ts';

export const backupCommand: Command = {
  summary: 'write all that the service keeps to one file, while it runs',
  usage: BACKUP_USAGE,
  run: async (argv) =>
    run(argv, process, { ...(await backupGround(readProgramConfig(process.env))), note: async () => {} }),
};

/** What both ways need to know. */
export async function backupGround(config: Config) {
  const { data_dir, database_config } = await databasePlace(config);
  return {
    ...{ database_config, places: SEALED_COLUMNS, clock: systemClock, program_version: SERVICE.version },
    key_source: { written: config.auth.secret_key, may_make: !isProduction(config), data_dir },
    passphrase: config.backup.passphrase,
  };
}
