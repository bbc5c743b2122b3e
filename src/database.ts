import { join } from 'node:path';
import { prepareDataDir } from './platform/data-dir.ts';
import { migrate } from './platform/db/migrate.ts';
import { type Database, type DatabaseConfig, openDatabase } from './platform/db/open.ts';
import type { Config } from './settings.ts';

/** The database that the settings name. */

const POSTGRES_POOL_SIZE = 10;

/** As it stands, whatever its version. Makes the data directory where there is none. */
export async function openAsIs({ server }: Config): Promise<OwnDatabase> {
  const data_dir = await prepareDataDir(server.data_dir);
  const database_config: DatabaseConfig =
    server.database_url === null
      ? { engine: 'sqlite', path: join(data_dir, 'capstan.db'), thread: 'own' }
      : { engine: 'postgres', url: server.database_url, pool_size: POSTGRES_POOL_SIZE };
  return { data_dir, database_config, database: await openDatabase(database_config) };
}

export interface OwnDatabase {
  /** Absolute. */
  data_dir: string;
  database_config: DatabaseConfig;
  database: Database;
}

/** Brought to this program's version. */
export async function openMigrated(config: Config): Promise<OwnDatabase> {
  const opened = await openAsIs(config);
  try {
    await migrate(opened.database);
    return opened;
  } catch (error) {
    await opened.database.close();
    throw error;
  }
}

/** Runs on the migrated database, which is closed whatever comes of it. */
export async function withDatabase<T>(config: Config, run: (opened: OwnDatabase) => Promise<T>): Promise<T> {
  const opened = await openMigrated(config);
  try {
    return await run(opened);
  } finally {
    await opened.database.close();
  }
}
