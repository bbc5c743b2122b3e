import { migrate } from '#core/db/migrate.ts';
import { openDatabase } from '#core/db/open.ts';
import { postgresConfig, sqliteConfig } from '../databases.ts';
import { startPostgres } from '../postgres.ts';
import { checkMeaning } from '../upgrades/meaning.ts';
import { schemaOf } from '../upgrades/schema-of.ts';
import { listStored } from '../upgrades/stored-database.ts';
import { upgrade } from '../upgrades/upgraded.ts';

/**
 * `npm run soak -- upgrades`: every stored database, on both engines, brought to this version: its rows, its schema, and
 * what it means to its people. `npm run soak -- upgrades make [DIR]` stores one of the program in DIR, or of this one.
 */
const [what, dir = '.'] = process.argv.slice(2);

const postgres = await startPostgres();
process.env.TEST_POSTGRES_URL = postgres.url;
try {
  if (what === 'make') await (await import('../upgrades/make.ts')).makeStored(dir);
  else await upgradeAll();
} finally {
  await postgres.stop();
}

async function upgradeAll(): Promise<void> {
  for (const [engine, place] of [['sqlite', sqliteConfig] as const, ['postgres', postgresConfig] as const]) {
    const { config: empty, drop: dropEmpty } = await place();
    const database = await openDatabase(empty);
    await migrate(database);
    const fresh = await schemaOf(database);
    await database.close();
    await dropEmpty();
    for (const stored of await listStored(engine)) {
      const { config, drop } = await place();
      await upgrade(stored, config, fresh);
      await checkMeaning(config, stored.version);
      await drop();
      process.stdout.write(`${engine} ${stored.version}: as it was\n`);
    }
  }
}
