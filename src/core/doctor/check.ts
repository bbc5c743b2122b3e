/** A check of `capstand doctor`: a file `*-check.ts` next to what it checks. */

export interface Check {
  /** One or two words, shown next to the findings. */
  name: string;
  /** For a check that takes longer than others. */
  timeout_ms?: number;
  /** Returns at least one finding. An exception becomes a finding. `signal` aborts at the timeout. */
  run(signal: AbortSignal): Promise<Finding[]>;
}

/** From good to bad. `warn`: it works, but not well or not for long. `fail`: something does not work. */
export const LEVELS = ['ok', 'warn', 'fail'] as const;
export type Level = (typeof LEVELS)[number];

export interface Finding {
  level: Level;
  /** One or two sentences without secrets. */
  seen: string;
  /** How to fix it: a command, or a setting with its value. Absent if ok. */
  fix?: string;
}

export const ok = (seen: string): Finding => ({ level: 'ok', seen });
export const warn = (seen: string, fix: string): Finding => ({ level: 'warn', seen, fix });
export const fail = (seen: string, fix: string): Finding => ({ level: 'fail', seen, fix });

export const worstOf = (findings: readonly Finding[]): Level =>
  LEVELS.findLast((level) => findings.some((finding) => finding.level === level)) ?? 'ok';
