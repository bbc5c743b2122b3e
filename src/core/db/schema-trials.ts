/** The table of 0054-trials.sql, column for column. */

export interface TrialsSchema {
  trial_days: {
    /** `2026-11-20`, UTC. */
    day: string;
    bucket: string;
    used: number;
  };
}
