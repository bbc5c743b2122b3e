import { openMigrated } from '../database.ts';
import { exportCommand as run } from '../features/registry/export-command.ts';
import { readProgramConfig } from '../settings.ts';
import type { Command } from './command.ts';

export const exportCommand: Command = {
  summary: 'write every listing as NDJSON to FILE or standard output',
  usage: 'export [FILE|-]',
  run: async (argv) => {
    const { database } = await openMigrated(readProgramConfig(process.env));
    try {
      return await run(argv, process, { db: database.db });
    } finally {
      await database.close();
    }
  },
};
