import { parseArgs } from 'node:util';
import { Problem } from '#core/problem/problem.ts';
import { type Io, summaryOf } from './backup-command.ts';
import { checkBackup } from './check-backup.ts';
import { readPassphrase } from './passphrase.ts';
import { type Restored, type RestoreOptions, restoreBackup } from './restore.ts';

/** `capstand restore`: loads a backup into an empty database of either engine. */

export const RESTORE_USAGE = `restore FILE [--passphrase-file FILE] [--key-to FILE] [--keep-sign-ins]
       capstand restore --check FILE…

  FILE                   a backup written by capstand backup
  --check                verify backups without restoring them
  --passphrase-file FILE passphrase for the secret key in the backup; or set CAPSTAN_BACKUP_PASSPHRASE
  --key-to FILE          where to write that key if none is configured, for CAPSTAN_SECRET_KEY_FILE
  --keep-sign-ins        keep sessions. By default all sessions end, because a restore would bring back
                         sessions that were ended after the backup.

The configured database must be empty. Stop all processes of the service first.`;

type RestoreCommandDeps = Omit<RestoreOptions, 'passphrase' | 'key_to' | 'keep_sign_ins'> & {
  /** From the settings. */
  passphrase: string | null;
};

/** Returns the exit code: 1 if everything was restored but some secrets were already damaged in the backup. */
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
    const wrong = path === undefined ? 'Name a backup file' : `Name one backup file, not ${positionals.length}`;
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

/** Checks all files even if some fail, so that a whole directory can be checked at once. */
async function checkAll(paths: readonly string[], io: Io, { places }: RestoreCommandDeps): Promise<number> {
  let failed = 0;
  for (const path of paths) {
    const label = paths.length > 1 ? `${path}\n` : '';
    try {
      const { header, manifest } = await checkBackup(path, places);
      const { created_at, program_version, schema_version } = header;
      io.stdout.write(
        `${label}Intact: created ${created_at} by ${program_version}, schema version ${schema_version}\n`,
      );
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
    `Restored the state of ${header.created_at}.`,
    summaryOf(manifest).trim(),
    ...(migrated.length > 0 ? [`Migrated: ${migrated.join(', ')}.`] : []),
    ...(key_written === null
      ? []
      : [`The secret key was written to ${key_written}. Store it separately from backups.`]),
    `${sign_ins_ended} sessions ended. API keys were restored: revoke again any that were revoked after ` +
      'the backup.',
  ];
  io.stdout.write(`${lines.join('\n')}\n`);
  for (const place of damaged_secrets) io.stderr.write(`already damaged when backed up: ${place}\n`);
}
