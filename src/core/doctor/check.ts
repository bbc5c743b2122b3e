/** What `capstand doctor` asks of each part of the program: one file `*-check.ts` beside what it looks at. */

export interface Check {
  /** One or two words; findings are shown under it. */
  name: string;
  /** At least one finding. A throw is one too. `signal` is aborted when the time is up. */
  look(signal: AbortSignal): Promise<Finding[]>;
}

/** From good to bad. `warn`: it works, but not as it should, or not for long. `fail`: something does not work. */
export const LEVELS = ['ok', 'warn', 'fail'] as const;
export type Level = (typeof LEVELS)[number];

export interface Finding {
  level: Level;
  /** One or two plain sentences, without secrets. */
  seen: string;
  /** What to do about it: a command, or a setting with its value. Not where it is ok. */
  fix?: string;
}

export const ok = (seen: string): Finding => ({ level: 'ok', seen });
export const warn = (seen: string, fix: string): Finding => ({ level: 'warn', seen, fix });
export const fail = (seen: string, fix: string): Finding => ({ level: 'fail', seen, fix });

export const worstOf = (findings: readonly Finding[]): Level =>
  LEVELS.findLast((level) => findings.some((finding) => finding.level === level)) ?? 'ok';
