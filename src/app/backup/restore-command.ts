import { parseArgs } from 'node:util';
import { Problem } from '#core/problem/problem.ts';
import { type Io, summaryOf } from './backup-command.ts';
import { checkBackup } from './check-backup.ts';
import { readPassphrase } from './passphrase.ts';
import { type Restored, type RestoreOptions, restoreBackup } from './restore.ts';

/** `capstand restore`: a backup into an empty database, of either engine. */

export const RESTORE_USAGE = `restore FILE [--passphrase-file FILE] [--key-to FILE] [--keep-sign-ins]
       capstand restore --check FILE…

  FILE                   what capstand backup wrote
  --check                read each whole and compare it with its digests; touch nothing
  --passphrase-file FILE opens the secret key in the backup; CAPSTAN_BACKUP_PASSPHRASE does, too
  --key-to FILE          where that key is written, if this machine has none: for CAPSTAN_SECRET_KEY_FILE
  --keep-sign-ins        let sessions stand as they did. Otherwise everybody signs in anew, because sessions that
                         were ended since the backup would stand again.

The database that the settings name has to be empty. Stop every process of the service first.`;

export type RestoreCommandDeps = Omit<RestoreOptions, 'passphrase' | 'key_to' | 'keep_sign_ins'> & {
  /** Of the settings. */
  passphrase: string | null;
};

/** Answers the exit code: 1 where all is restored, but some secrets were damaged when they were backed up. */
export async function restoreCommand(argv: string[], io: Io, deps: RestoreCommandDeps): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      check: { type: 'boolean', default: false },
      'passphrase-file': { type: 'string' },
      'key-to': { type: 'string' },
      'keep-sign-ins': { type: 'boolean', default: false },
    },
  });
  const [path, ...more] = positionals;
  if (path === undefined || (more.length > 0 && !values.check)) {
    const wrong = path === undefined ? 'Name the backup' : `Name one backup, not ${positionals.length}`;
    io.stderr.write(`capstand restore: ${wrong}. See capstand restore --help.\n`);
    return 2;
  }
  if (values.check) return checkAll(positionals, io, deps);
  const restored = await restoreBackup(path, {
    ...deps,
    passphrase: await readPassphrase(values['passphrase-file'], deps.passphrase),
    key_to: values['key-to'] ?? null,
    keep_sign_ins: values['keep-sign-ins'],
  });
  tell(restored, io);
  return restored.damaged_secrets.length > 0 ? 1 : 0;
}

/** Each of them, whatever the others are: a directory of backups is looked at in one go. */
async function checkAll(paths: readonly string[], io: Io, { places }: RestoreCommandDeps): Promise<number> {
  let failed = 0;
  for (const path of paths) {
    const label = paths.length > 1 ? `${path}\n` : '';
    try {
      const { header, manifest } = await checkBackup(path, places);
      const { created_at, program_version, schema_version } = header;
      io.stdout.write(`${label}Whole: of ${created_at}, by ${program_version}, schema version ${schema_version}\n`);
      io.stdout.write(summaryOf(manifest));
    } catch (error) {
      if (paths.length === 1 || !(error instanceof Problem)) throw error;
      failed++;
      io.stderr.write(`capstand restore: ${error.message}\n`);
    }
  }
  return failed === 0 ? 0 : 1;
}

function tell({ header, manifest, migrated, key_written, sign_ins_ended, damaged_secrets }: Restored, io: Io): void {
  const lines = [
    `Restored as of ${header.created_at}.`,
    summaryOf(manifest).trim(),
    ...(migrated.length > 0 ? [`Migrated since: ${migrated.join(', ')}.`] : []),
    ...(key_written === null ? [] : [`The secret key is in ${key_written}. Keep it apart from backups.`]),
    `${sign_ins_ended} sessions ended. API keys stand as they did then: revoke anew what was revoked since.`,
  ];
  io.stdout.write(`${lines.join('\n')}\n`);
  for (const place of damaged_secrets) io.stderr.write(`damaged when it was backed up: ${place}\n`);
}
