import { parseArgs } from 'node:util';

/** One command of `capstand`. */
export interface Command {
  summary: string;
  /** The arguments, shown by `--help`. Absent if a command handles `--help` itself. */
  usage?: string;
  /** Returns the exit code: 0 success, 1 failure, 2 invalid arguments, 3 not found. */
  run(argv: string[]): Promise<number>;
}

/** Refuses any argument, because an ignored one would look as if it had worked. */
export const noArguments = (argv: string[]): void => void parseArgs({ args: argv, options: {} });
