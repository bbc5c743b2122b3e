import { IDENTITY_USAGE, identityCommand as run } from '#marketplace/identity/identity-command.ts';
import { withDatabase } from '../database.ts';
import { readProgramConfig } from '../settings.ts';
import type { Command } from './command.ts';

export const identityCommand: Command = {
  summary: 'explain the capability a listing belongs to and the evidence',
  usage: IDENTITY_USAGE,
  run: (argv) => withDatabase(readProgramConfig(process.env), ({ database }) => run(argv, process, database)),
};
