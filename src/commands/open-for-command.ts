import { databaseConfig } from '../app.ts';
import { prepareDataDir } from '../platform/data-dir.ts';
import { migrate } from '../platform/db/migrate.ts';
import { type Database, openDatabase } from '../platform/db/open.ts';
import { type Config, readProgramConfig } from '../settings.ts';

/** What a command that is over soon needs: the configuration, and the database at this program's version. */
export async function openForCommand(): Promise<{ config: Config; data_dir: string; database: Database }> {
  const config = readProgramConfig(process.env);
  const data_dir = await prepareDataDir(config.server.data_dir);
  const database = await openDatabase(databaseConfig(config, data_dir));
  try {
    await migrate(database);
    return { config, data_dir, database };
  } catch (error) {
    await database.close();
    throw error;
  }
}
