import { exportCommand as run } from '../features/registry/export.ts';
import type { Command } from './command.ts';
import { openForCommand } from './open-for-command.ts';

export const exportCommand: Command = {
  summary: 'write every listing as NDJSON to FILE or standard output',
  usage: 'export [FILE|-]',
  run: async (argv) => {
    const { database } = await openForCommand();
    try {
      return await run(argv, process, { db: database.db });
    } finally {
      await database.close();
    }
  },
};
