import { withDatabase } from '../database.ts';
import { auditCommand as run } from '../features/users/audit-command.ts';
import { readProgramConfig } from '../settings.ts';
import type { Command } from './command.ts';

export const auditCommand: Command = {
  summary: 'print what operators did and whose data they looked at; --user takes an id',
  usage: 'audit [--user ID] [--since TIME] [--json]',
  run: (argv) =>
    withDatabase(readProgramConfig(process.env), ({ database }) => run(argv, process, { db: database.db })),
};
