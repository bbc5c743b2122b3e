import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type BlobStore, openBlobStore } from '#core/blobs/blob-store.ts';
import { prepareDataDir } from '#core/config/data-dir.ts';
import type { Database, DatabaseConfig } from '#core/db/open.ts';
import { whyAway } from '#core/db/why-away.ts';
import { coreProblem } from '#core/errors.ts';
import { type Config, readProgramConfig } from './settings.ts';

/** Opens the database from the settings. The query builder is a sixth of the program, so it is loaded with the first one opened. */

/** Per process. Its serving threads share them, but each has at least the minimum. */
const POSTGRES_POOL_SIZE = 10;
const LEAST_POOL_SIZE = 2;

/** `data_dir` must be absolute. */
export const databaseConfig = (
  { server: { database_url: url } }: Config,
  data_dir: string,
  threads = 1,
): DatabaseConfig =>
  url === null
    ? { engine: 'sqlite', path: join(data_dir, 'capstan.db'), thread: 'own' }
    : { engine: 'postgres', url, pool_size: Math.max(LEAST_POOL_SIZE, Math.floor(POSTGRES_POOL_SIZE / threads)) };

interface DatabasePlace {
  /** An absolute path. */
  data_dir: string;
  database_config: DatabaseConfig;
}

/** The location for one of `threads` threads. Creates the data directory if missing, and opens nothing. */
export async function databasePlace(config: Config, threads = 1): Promise<DatabasePlace> {
  const data_dir = await prepareDataDir(config.server.data_dir);
  return { data_dir, database_config: databaseConfig(config, data_dir, threads) };
}

async function open(config: DatabaseConfig): Promise<Database> {
  const { openDatabase } = await import('#core/db/open.ts');
  return openDatabase(config);
}

export interface OwnDatabase extends DatabasePlace {
  database: Database;
}

/** Opens the database with any schema version. */
export async function openAsIs(config: Config, threads = 1): Promise<OwnDatabase> {
  const place = await databasePlace(config, threads);
  return { ...place, database: await open(place.database_config) };
}

/** Opens the database read-only with any schema version. Null if there is none. */
export async function openToRead(config: Config): Promise<Database | null> {
  const settings = databaseConfig(config, resolve(config.server.data_dir));
  if (settings.engine === 'postgres') return open(settings);
  return (await isThere(settings.path)) ? open({ ...settings, read_only: true }) : null;
}

/** A path without read permission is an error, not a missing database. */
async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') return false;
    throw coreProblem(
      'startup.unavailable',
      `Cannot access ${path} (${code}). Run this command as the user of the service, or correct DATA_DIR.`,
      { reason: 'data_dir_unreadable', cause },
    );
  }
}

/** READMEs and other texts of listings, below DATA_DIR. */
export const detailBlobsDir = (data_dir: string): string => join(data_dir, 'details');
export const openDetailBlobs = (data_dir: string): BlobStore => openBlobStore(detailBlobsDir(data_dir));

/** Opens the database and migrates it. */
export async function openMigrated(config: Config, threads = 1): Promise<OwnDatabase> {
  const opened = await openAsIs(config, threads);
  try {
    const { migrate } = await import('#core/db/migrate.ts');
    await migrate(opened.database);
    return opened;
  } catch (error) {
    await opened.database.close();
    throw error;
  }
}

/** Runs on the migrated database and closes it in any case. */
export async function withDatabase<T>(config: Config, run: (opened: OwnDatabase) => Promise<T>): Promise<T> {
  const opened = await openMigrated(config);
  try {
    return await run(opened);
  } finally {
    await opened.database.close();
  }
}

/** Explains a database error to an operator in one line; null if the error has another cause. */
export function whyDatabaseFails(error: unknown, env: Record<string, string | undefined>): string | null {
  if (!(error instanceof Error)) return null;
  try {
    const config = readProgramConfig(env);
    const why = whyAway(error, databaseConfig(config, resolve(config.server.data_dir)));
    return why === null ? null : `${why.seen} ${why.fix}.`;
  } catch {
    return null;
  }
}
