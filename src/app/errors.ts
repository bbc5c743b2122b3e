import { type ErrorTable, problemOf } from '#core/problem/error-table.ts';

/** The error codes of this wing. Their pages, `docs/errors`, are generated from here: `npm run capstand -- schema --write`. */
export const APP_ERRORS = {
  'backup.conflict': {
    kind: 'conflict',
    title: 'The backup cannot be made from, or restored to, this place.',
    why: 'Existing data is never overwritten. Nothing was changed.',
    fix: 'Choose another place, or move away what is there.',
    example: {
      detail:
        'Backups can only be restored into an empty database. No changes were made. Move it away, or configure ' +
        'another database.',
      reason: 'target_not_empty',
    },
    reasons: {
      key_file_exists: {
        why:
          'The file named by `--key-to` already exists. It may contain the key of other data, so it is not ' +
          'overwritten. Nothing was restored.',
        fix: 'Check the file, then move it away or name another one with `--key-to`.',
        aliases: ['backup.key_place_taken'],
      },
      no_database: {
        why: 'No database found to back up.',
        fix: 'Run the command with the same `DATA_DIR` or `DATABASE_URL` as the service.',
        aliases: ['backup.nothing_there'],
      },
      target_not_empty: {
        why:
          'Backups can only be restored into an empty database that no other program has open. No changes were ' +
          'made.',
        fix:
          'Stop the service. Move away `DATA_DIR/capstan.db` with its `-wal` and `-shm` files, or create an ' +
          'empty PostgreSQL database and set `DATABASE_URL` to it.',
        aliases: ['backup.target_not_empty'],
      },
    },
  },
  'backup.invalid': {
    kind: 'unprocessable',
    title: 'The backup cannot be restored with what was given.',
    why:
      'The file is damaged, is not a backup, is newer than the program, or its passphrase does not match. ' +
      'Nothing was changed.',
    fix: '`capstand restore FILE --check` verifies a backup without restoring it.',
    example: { detail: 'backup.zst is not a Capstan backup.', reason: 'not_a_backup' },
    reasons: {
      damaged: {
        why:
          'The backup is truncated or corrupt. The copy was interrupted, or the file was modified. The manifest ' +
          "at the end contains digests of all tables and files, and a MAC made with the service's secret key.",
        fix:
          'Use another copy or an older backup. `capstand restore FILE --check` verifies a backup without ' +
          'restoring it. Nothing was restored.',
        aliases: ['backup.damaged'],
      },
      newer_version: {
        why: 'The backup was created by a newer version of this program. No changes were made.',
        fix:
          'Restore it with that version or a later one. `capstand restore FILE --check` of that version prints ' +
          'the version that created the backup.',
        aliases: ['backup.newer_than_program'],
      },
      not_a_backup: {
        why: 'The file is not a backup created by `capstand backup`.',
        fix:
          'Use `capstand import` for listing exports. To restore a copy of `capstan.db`, put it back in its ' +
          'place while the service is stopped.',
        aliases: ['backup.not_a_backup'],
      },
      passphrase_required: {
        why: 'The secret key in the backup is encrypted, and no passphrase was given. No changes were made.',
        fix:
          'Use `--passphrase-file`, or set `CAPSTAN_BACKUP_PASSPHRASE`. If `CAPSTAN_SECRET_KEY` is already set ' +
          'to the key, no passphrase is needed.',
        aliases: ['backup.passphrase_missing'],
      },
      passphrase_short: {
        why:
          'The passphrase must have at least 12 characters. An attacker with the backup can guess passphrases ' +
          'offline.',
        fix: 'Generate a long random one: `openssl rand -base64 24`.',
        aliases: ['backup.passphrase_short'],
      },
      passphrase_wrong: {
        why: 'Wrong passphrase for the secret key in the backup. No changes were made.',
        fix: 'Use the passphrase that the backup was created with. If you know `CAPSTAN_SECRET_KEY`, set it instead.',
        aliases: ['backup.wrong_passphrase'],
      },
    },
  },
} as const satisfies ErrorTable;

/** `throw appProblem('backup.conflict', …)`: a failure with one of these codes. */
export const appProblem = problemOf(APP_ERRORS);
