import { exportCommand as run } from '#catalog/transfer/export-command.ts';
import { withDatabase } from '../database.ts';
import { readProgramConfig } from '../settings.ts';
import type { Command } from './command.ts';

export const exportCommand: Command = {
  summary: 'export all listings as NDJSON to FILE or standard output',
  usage: 'export [FILE|-]',
  run: (argv) =>
    withDatabase(readProgramConfig(process.env), ({ database }) => run(argv, process, { db: database.db })),
};
