import { migrate } from '#core/db/migrate.ts';
import { openDatabase } from '#core/db/open.ts';
import { postgresConfig, sqliteConfig } from '../databases.ts';
import { killTask } from '../kill-task.ts';
import { startPostgres } from '../postgres.ts';

/** `npm run soak -- kill-task [loops]`: SIGKILL of a worker, on both engines, with the lease that the service uses. */
const loops = Number(process.argv[2] ?? 20);
const LEASE_MS = 8_000;

const postgres = await startPostgres();
process.env.TEST_POSTGRES_URL = postgres.url;
for (const fresh of [sqliteConfig, postgresConfig]) {
  const { config, drop } = await fresh();
  const database = await openDatabase(config);
  try {
    await migrate(database);
    const longestMs = await killTask({ ...database, config }, loops, LEASE_MS);
    const line = `${config.engine}: ${loops} kills, every task ended once, taken up within ${longestMs} ms\n`;
    process.stdout.write(line);
    if (longestMs > 10_000) process.exitCode = 1;
  } finally {
    await database.close();
    await drop();
  }
}
await postgres.stop();
