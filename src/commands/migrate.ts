import { parseArgs } from 'node:util';
import { openAsIs } from '../database.ts';
import { migrate, pendingMigrations } from '../platform/db/migrate.ts';
import { readProgramConfig } from '../settings.ts';
import type { Command } from './command.ts';

export const migrateCommand: Command = {
  summary: 'bring the database to this version; --check only says whether it is',
  usage: 'migrate [--check]',
  run: async (argv) => {
    const { values } = parseArgs({ args: argv, options: { check: { type: 'boolean', default: false } } });
    const { database } = await openAsIs(readProgramConfig(process.env));
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
