import { RESTORE_USAGE, restoreCommand as run } from '../backup/restore-command.ts';
import { readProgramConfig } from '../settings.ts';
import { backupDeps } from './backup.ts';
import type { Command } from './command.ts';

export const restoreCommand: Command = {
  summary: 'restore a backup into an empty database',
  usage: RESTORE_USAGE,
  run: async (argv) => run(argv, process, await backupDeps(readProgramConfig(process.env))),
};
