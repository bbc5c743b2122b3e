import { isoTime, systemClock } from '#core/clock/clock.ts';
import { newestVersion } from '#core/db/migrate.ts';
import { SERVICE } from '#core/service.ts';
import { BACKUP_USAGE, backupCommand as run } from '../backup/backup-command.ts';
import type { Made } from '../backup/make-backup.ts';
import { noteMade } from '../backup/note.ts';
import { databasePlace, openAsIs } from '../database.ts';
import { SEALED_COLUMNS } from '../sealed-columns.ts';
import { type Config, isProduction, readProgramConfig } from '../settings.ts';
import type { Command } from './command.ts';

export const backupCommand: Command = {
  summary: 'back up all data to one file while the service is running',
  usage: BACKUP_USAGE,
  run: async (argv) => {
    const config = readProgramConfig(process.env);
    return run(argv, process, { ...(await backupDeps(config)), note: (made) => note(config, made) });
  },
};

/** In the audit log, if the database has this program's schema version. */
async function note(config: Config, made: Made): Promise<void> {
  if (made.header.schema_version !== (await newestVersion())) return;
  const { database } = await openAsIs(config);
  try {
    await noteMade(database.db, made, isoTime(systemClock.now()));
  } finally {
    await database.close();
  }
}

/** Dependencies of both backup and restore. */
export async function backupDeps(config: Config) {
  const { data_dir, database_config } = await databasePlace(config);
  return {
    database_config,
    places: SEALED_COLUMNS,
    clock: systemClock,
    program_version: SERVICE.version,
    key_source: { written: config.auth.secret_key, may_make: !isProduction(config), data_dir },
    passphrase: config.backup.passphrase,
  };
}
