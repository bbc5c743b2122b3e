import { parseArgs } from 'node:util';

/** One command of `capstand`. */
export interface Command {
  summary: string;
  /** What follows `capstand`; shown for `--help`. Left out by a command that answers `--help` itself. */
  usage?: string;
  /** Answers the exit code: 0 done, 1 failed, 2 wrong usage, 3 not found. */
  run(argv: string[]): Promise<number>;
}

/** Refuses any argument: one that is passed over in silence would look as if it had worked. */
export const noArguments = (argv: string[]): void => void parseArgs({ args: argv, options: {} });
