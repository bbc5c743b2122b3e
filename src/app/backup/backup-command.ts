import { parseArgs } from 'node:util';
import type { CommandIo } from '#core/command-io.ts';
import { logFits } from './census.ts';
import type { KeptKey, Manifest } from './format.ts';
import { type KeyWish, type Made, type MakeOptions, makeBackup } from './make-backup.ts';
import { readPassphrase } from './passphrase.ts';

/** `capstand backup`: writes everything the service stores to one file while it runs. */

export const BACKUP_USAGE = `backup FILE|DIR [--passphrase-file FILE | --without-keys | --plain-keys]

  FILE|DIR               output file, or a directory for a file named by its time. An existing backup is replaced
                         after the new one has been verified.
  --passphrase-file FILE encrypt the secret key with the passphrase in FILE; or set CAPSTAN_BACKUP_PASSPHRASE
  --without-keys         omit the secret key. Without it, encrypted data in the backup cannot be read.
  --plain-keys           include the secret key unencrypted: anyone with the file can read everything`;

export type Io = Pick<CommandIo, 'stdout' | 'stderr'>;

interface BackupCommandDeps extends Omit<MakeOptions, 'key_wish'> {
  /** From the settings. */
  passphrase: string | null;
  /** Records the backup. */
  note(made: Made): Promise<void>;
}

/** Returns the exit code: 1 if the backup is complete but its receipts do not match the signed log. */
export async function backupCommand(argv: string[], { stdout, stderr }: Io, deps: BackupCommandDeps): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      'passphrase-file': { type: 'string' },
      'without-keys': { type: 'boolean', default: false },
      'plain-keys': { type: 'boolean', default: false },
    },
  });
  const [path, ...more] = positionals;
  if (path === undefined || more.length > 0) return refused(stderr, 'Name a file or directory');
  const key_wish = await wished(values, deps.passphrase);
  if (key_wish === null)
    return refused(
      stderr,
      'Choose how to store the secret key: --passphrase-file, --without-keys or --plain-keys, or set ' +
        'CAPSTAN_BACKUP_PASSPHRASE',
    );
  const made = await makeBackup(path, { ...deps, key_wish });
  await deps.note(made);
  stdout.write(`${made.path}\n${summaryOf(made.manifest)}${WORDS[made.header.secret_key.kept]}\n`);
  if (logFits(made.manifest)) return 0;
  stderr.write('The receipts do not match the newest checkpoint: the log in the database was modified.\n');
  return 1;
}

function refused(stderr: Io['stderr'], why: string): number {
  stderr.write(`capstand backup: ${why}. No backup was written. See capstand backup --help.\n`);
  return 2;
}

interface Flags {
  'passphrase-file'?: string | undefined;
  'without-keys': boolean;
  'plain-keys': boolean;
}

/** Null if no option, or more than one, was given. */
async function wished(flags: Flags, ofSettings: string | null): Promise<KeyWish | null> {
  const { 'passphrase-file': file, 'without-keys': without, 'plain-keys': plain } = flags;
  if ([file !== undefined, without, plain].filter(Boolean).length > 1) return null;
  if (without) return { kept: 'not' };
  if (plain) return { kept: 'plain' };
  const passphrase = await readPassphrase(file, ofSettings);
  return passphrase === null ? null : { kept: 'sealed', passphrase };
}

const WORDS: Record<KeptKey['kept'], string> = {
  not:
    'The backup does NOT contain the secret key. Store the key elsewhere: without it, encrypted data in this ' +
    'backup is lost.',
  plain: 'The backup contains the UNENCRYPTED secret key. Anyone with the file can read everything.',
  sealed: 'The backup contains the secret key, encrypted with the passphrase. Without the passphrase, the key is lost.',
};

export function summaryOf({ tables, files, receipts_log }: Manifest): string {
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
  const log = receipts_log === null ? 'has gaps' : `has ${receipts_log.size} entries, root ${receipts_log.root}`;
  return `${rows} rows of ${Object.keys(tables).length} tables, ${Object.keys(files).length} files; the receipt log ${log}\n`;
}
