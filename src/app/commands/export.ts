import { exportCommand as run } from '#catalog/transfer/export-command.ts';
import { openDetailBlobs, withDatabase } from '../database.ts';
import { readProgramConfig } from '../settings.ts';
import type { Command } from './command.ts';

export const exportCommand: Command = {
  summary: 'export all listings as NDJSON to FILE or standard output',
  usage: 'export [FILE|-]',
  run: (argv) =>
    withDatabase(readProgramConfig(process.env), ({ database, data_dir }) =>
      run(argv, process, { db: database.db, blobs: openDetailBlobs(data_dir) }),
    ),
};
