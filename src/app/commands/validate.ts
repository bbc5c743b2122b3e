import { validateCommand as run } from '#runtime/harnesses/validate-command.ts';
import type { Command } from './command.ts';

export const validateCommand: Command = {
  summary: 'validate a skill or harness directory, offline',
  usage: `validate DIR [--json] [--quiet]

  DIR      a directory with SKILL.md or HARNESS.md
  --json   print all violations as one JSON object
  --quiet  print errors only, no warnings

Prints path:line:column: severity rule: problem and fix. Exit codes: 0 no errors; 1 errors; 2 usage error.`,
  run: (argv) => run(argv, process),
};
