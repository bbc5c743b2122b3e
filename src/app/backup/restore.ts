import { stat } from 'node:fs/promises';
import { appProblem } from '#app/errors.ts';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { SealedColumn } from '#core/crypto/sealed-columns.ts';
import { damagedSecrets } from '#core/crypto/sealed-columns.ts';
import { type KeySource, keepKey } from '#core/crypto/secret-keys.ts';
import { migrateTo, newestVersion } from '#core/db/migrate.ts';
import type { DatabaseConfig } from '#core/db/open.ts';
import { coreProblem } from '#core/errors.ts';
import { type Checked, checkBackup } from './check-backup.ts';
import { type FoundKey, findKey } from './find-key.ts';
import { load } from './load.ts';
import { type Settled, settle } from './settle.ts';
import { fillTarget } from './target.ts';

export interface RestoreOptions {
  database_config: DatabaseConfig;
  key_source: KeySource;
  passphrase: string | null;
  key_to: string | null;
  keep_sign_ins: boolean;
  places: readonly SealedColumn[];
  clock: Clock;
}

export interface Restored extends Checked, Settled {
  /** Migrations that were applied afterwards. */
  migrated: number[];
  /** Where the backup's secret key was written; null if this machine has its own. */
  key_written: string | null;
  /** Locations of secrets that did not decrypt when they were backed up either. */
  damaged_secrets: string[];
}

/**
 * Checks everything possible before changing anything; then restores completely or not at all. Throws `backup.…`,
 * `crypto.key_required` and `startup.unavailable` (`secret_key_missing`).
 */
export async function restoreBackup(path: string, options: RestoreOptions): Promise<Restored> {
  const { database_config, key_source, places } = options;
  const checked = await checkBackup(path, places);
  await refuseUnfit(checked, database_config);
  const found = await findKey(checked, options);
  await refusePlace(found);
  const rest = await fillTarget(
    database_config,
    async (trx, engine) => {
      await load(trx, engine, { path, checked, data_dir: key_source.data_dir });
      const migrated = await migrateTo({ db: trx, engine });
      const damaged_secrets = await damagedSecrets(trx, found.keys, places);
      const settling = { ...options, as_of: checked.header.created_at, now: isoTime(options.clock.now()) };
      return { migrated, damaged_secrets, ...(await settle(trx, settling)) };
    },
    () => writeKey(found),
  );
  return { ...checked, ...rest, key_written: found.write?.path ?? null };
}

async function refuseUnfit({ header, with_nul }: Checked, { engine }: DatabaseConfig): Promise<void> {
  const newest = await newestVersion();
  if (header.schema_version > newest)
    throw appProblem(
      'backup.invalid',
      `The backup has schema version ${header.schema_version}; this program supports up to ${newest}. ` +
        'Restore it with the newer program. No changes were made.',
      { reason: 'newer_version' },
    );
  if (engine === 'postgres' && with_nul !== null)
    throw coreProblem(
      'http.invalid',
      `Text in ${with_nul} contains a NUL character, which PostgreSQL cannot store. Restore into SQLite. ` +
        'No changes were made.',
      { reason: 'nul' },
    );
}

async function refusePlace({ write }: FoundKey): Promise<void> {
  if (write !== null && (await stat(write.path).catch(() => null)) !== null)
    throw appProblem('backup.conflict', `${write.path} already exists. No changes were made.`, {
      reason: 'key_file_exists',
    });
}

async function writeKey({ write }: FoundKey): Promise<void> {
  if (write !== null && (await keepKey(write.path, write.text)) !== write.text)
    throw appProblem('backup.conflict', `${write.path} was created in the meantime. Nothing was restored.`, {
      reason: 'key_file_exists',
    });
}
