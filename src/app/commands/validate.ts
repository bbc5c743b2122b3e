import { validateCommand as run } from '#runtime/harnesses/validate-command.ts';
import type { Command } from './command.ts';

export const validateCommand: Command = {
  summary: 'check the directory of a skill or a harness, without a server and without a database',
  usage: `validate DIR [--json] [--quiet]

  DIR      a directory with SKILL.md, or with HARNESS.md
  --json   all violations as one JSON object
  --quiet  errors only, no warnings

Prints path:line:column: severity rule: what is wrong, and what to do. Exit code: 0 no error; 1 errors; 2 wrong usage.`,
  run: (argv) => run(argv, process),
};
