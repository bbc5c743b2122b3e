/** One command of `capstand`. */
export interface Command {
  summary: string;
  /** Answers the exit code: 0 done, 1 failed, 2 wrong usage, 3 not found. */
  run(argv: string[]): Promise<number>;
}
