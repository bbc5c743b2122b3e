import { systemClock } from '#core/clock/clock.ts';
import { openSecretKeys } from '#core/crypto/secret-keys.ts';
import { type OwnDatabase, withDatabase } from '../database.ts';
import { type Config, isProduction, readProgramConfig } from '../settings.ts';

/** For commands about secrets: provides the database and the keys. */
export function withKeys(run: (opened: Awaited<ReturnType<typeof openKeys>>) => Promise<number>): Promise<number> {
  const config = readProgramConfig(process.env);
  return withDatabase(config, async (opened) => run(await openKeys(config, opened)));
}

async function openKeys(config: Config, { database, data_dir }: OwnDatabase) {
  const written = config.auth.secret_key;
  const keys = await openSecretKeys({ written, may_make: !isProduction(config), data_dir });
  return { database, db: database.db, clock: systemClock, keys, config };
}
