import type { ProblemKind } from '#core/problem/problem.ts';

/** Part of `src/app/problems.ts`: the codes of backups with their kinds. */
export const BACKUP_PROBLEMS: Record<string, ProblemKind> = {
  'backup.damaged': 'unprocessable',
  'backup.key_place_taken': 'conflict',
  'backup.newer_than_program': 'unprocessable',
  'backup.not_a_backup': 'unprocessable',
  'backup.nothing_there': 'not_found',
  'backup.passphrase_missing': 'unprocessable',
  'backup.passphrase_short': 'invalid_request',
  'backup.target_not_empty': 'conflict',
  'backup.unreadable': 'unprocessable',
  'backup.unwritable': 'unprocessable',
  'backup.wrong_passphrase': 'unprocessable',
};
