import { existsSync } from 'node:fs';
import { appProblem } from '#app/errors.ts';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { SealedColumn } from '#core/crypto/sealed-columns.ts';
import { deriveKey, type KeySource, parseSecretKeys, readKeyText, secretKeyMissing } from '#core/crypto/secret-keys.ts';
import { atOneMoment, type Connection, openConnection } from '#core/db/connection.ts';
import { newestVersion } from '#core/db/migrate.ts';
import type { DatabaseConfig } from '#core/db/open.ts';
import { listTables } from '#core/db/tables.ts';
import { coreProblem } from '#core/errors.ts';
import type { Problem } from '#core/problem/problem.ts';
import { type Checked, checkBackup } from './check-backup.ts';
import { FORMAT_VERSION, type Header, type KeptKey } from './format.ts';
import { sealKey } from './secret-key.ts';
import { placeOf, writeWhole } from './write-backup.ts';
import { writeLines } from './write-lines.ts';

/** How to store the secret key in a backup. */
export type KeyWish = { kept: 'not' } | { kept: 'plain' } | { kept: 'sealed'; passphrase: string };

export interface MakeOptions {
  database_config: DatabaseConfig;
  key_source: KeySource;
  key_wish: KeyWish;
  /** Every column with encrypted data. */
  places: readonly SealedColumn[];
  clock: Clock;
  program_version: string;
}

export interface Made extends Checked {
  path: string;
}

/** Backs up a snapshot of the database while the service runs. Returns what was read back from the finished file. */
export async function makeBackup(path: string, options: MakeOptions): Promise<Made> {
  const { database_config, key_source, places } = options;
  // Opening would create it.
  if (database_config.engine === 'sqlite' && !existsSync(database_config.path)) throw nothingThere();
  const text = await readKeyText(key_source);
  if (text === null) throw secretKeyMissing("Cannot create a backup without the service's secret key.");
  const keys = parseSecretKeys(text);
  const connection = await openConnection(database_config);
  try {
    const secretKey = await keptKey(options.key_wish, keys.current_id, text.trim());
    return await atOneMoment(connection, async () => {
      const header = await readHeader(connection, options, secretKey);
      const place = await placeOf(path, header.created_at);
      const lines = writeLines({
        header,
        db: connection,
        data_dir: key_source.data_dir,
        places,
        mac_key: deriveKey(keys, MAC_PURPOSE),
      });
      return { path: place, ...(await writeWhole(place, lines, (draft) => checkBackup(draft, places))) };
    });
  } finally {
    await connection.close();
  }
}

export const MAC_PURPOSE = 'backup';

async function keptKey(wish: KeyWish, id: string, text: string): Promise<KeptKey> {
  if (wish.kept === 'sealed') return sealKey(id, text, wish.passphrase);
  return wish.kept === 'plain' ? { id, kept: 'plain', text } : { id, kept: 'not' };
}

async function readHeader(
  connection: Connection,
  { clock, program_version }: MakeOptions,
  secret_key: KeptKey,
): Promise<Header> {
  return {
    capstan_backup: FORMAT_VERSION,
    schema_version: await readVersion(connection),
    program_version,
    engine: connection.engine,
    created_at: isoTime(clock.now()),
    secret_key,
  };
}

async function readVersion(connection: Connection): Promise<number> {
  if ((await listTables(connection)).length === 0) throw nothingThere();
  const [row] = await connection.query<{ version: number }>('SELECT max(version) AS version FROM schema_migrations');
  const version = Number(row?.version ?? 0);
  const newest = await newestVersion();
  if (version > newest)
    throw coreProblem(
      'database.unavailable',
      `The database has schema version ${version}; this program supports up to ${newest}. Back it up with ` +
        'the newer program.',
      { reason: 'newer_schema' },
    );
  return version;
}

const nothingThere = (): Problem =>
  appProblem('backup.conflict', 'No database found at the configured location.', { reason: 'no_database' });
