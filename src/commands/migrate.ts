import { parseArgs } from 'node:util';
import { databaseConfig } from '../app.ts';
import { prepareDataDir } from '../platform/data-dir.ts';
import { migrate, pendingMigrations } from '../platform/db/migrate.ts';
import { openDatabase } from '../platform/db/open.ts';
import { readProgramConfig } from '../settings.ts';
import type { Command } from './command.ts';

export const migrateCommand: Command = {
  summary: 'bring the database to this version; --check only says whether it is',
  usage: 'migrate [--check]',
  run: async (argv) => {
    const { values } = parseArgs({ args: argv, options: { check: { type: 'boolean', default: false } } });
    const config = readProgramConfig(process.env);
    const data_dir = await prepareDataDir(config.server.data_dir);
    const database = await openDatabase(databaseConfig(config, data_dir));
    try {
      const versions = values.check ? await pendingMigrations(database) : await migrate(database);
      process.stdout.write(report(versions, values.check));
      return values.check && versions.length > 0 ? 1 : 0;
    } finally {
      await database.close();
    }
  },
};

function report(versions: number[], check: boolean): string {
  if (versions.length === 0) return 'The database is up to date.\n';
  return check ? `Pending: ${versions.join(', ')}. Run capstand migrate.\n` : `Applied: ${versions.join(', ')}.\n`;
}
