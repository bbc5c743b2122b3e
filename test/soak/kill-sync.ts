import { migrate } from '#core/db/migrate.ts';
import { openDatabase } from '#core/db/open.ts';
import { postgresConfig, sqliteConfig } from '../databases.ts';
import { killSync } from '../kill-sync.ts';
import { startPostgres } from '../postgres.ts';

/** `npm run soak -- kill-sync [loops]`: SIGKILL in mid-sync, on both engines; 20 times each unless told. */
const loops = Number(process.argv[2] ?? 20);

const postgres = await startPostgres();
process.env.TEST_POSTGRES_URL = postgres.url;
for (const fresh of [sqliteConfig, postgresConfig]) {
  const { config, drop } = await fresh();
  const database = await openDatabase(config);
  try {
    await migrate(database);
    const longestMs = await killSync({ ...database, config }, loops);
    process.stdout.write(
      `${config.engine}: ${loops} kills, no partial or doubled row, resumed within ${longestMs} ms\n`,
    );
  } finally {
    await database.close();
    await drop();
  }
}
await postgres.stop();
