import type { ProblemKind } from './problem.ts';

/** Why the program does not start. Shown on the terminal; each has a page too. */
export const STARTUP_PROBLEMS = {
  'startup.data_dir_unreadable': 'unavailable',
  'startup.data_dir_unwritable': 'unavailable',
  'startup.host_unknown': 'unavailable',
  'startup.port_not_shared': 'unavailable',
  'startup.port_refused': 'unavailable',
  'startup.port_taken': 'unavailable',
  'startup.secret_key_malformed': 'unavailable',
  'startup.secret_key_missing': 'unavailable',
  'startup.secret_key_other': 'unavailable',
  'startup.secret_key_unreadable': 'unavailable',
} as const satisfies Record<string, ProblemKind>;
