import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createUser } from '#accounts/users/users.ts';
import { systemClock } from '#core/clock/clock.ts';
import { migrate } from '#core/db/migrate.ts';
import { type DatabaseConfig, openDatabase } from '#core/db/open.ts';
import { makeHarness } from '#runtime/harnesses/change-harnesses.ts';
import { postgresConfig } from '../databases.ts';
import { HARNESS_FILE } from '../harnesses-stand.ts';
import { startPostgres } from '../postgres.ts';
import { raceWriters } from '../race-writers.ts';
import { ROOMY } from '../storage.ts';

/**
 * `npm run soak -- memory [writes] [writers]`: writes at one path with preconditions, all of a round at once, on both
 * engines. One of each round may win, and each that won is a version.
 */
const [writes = 1_000, writers = 20] = process.argv.slice(2).map(Number);

async function race(engine: string, config: DatabaseConfig): Promise<void> {
  const database = await openDatabase(config);
  await migrate(database);
  const { db } = database;
  const user = await createUser(db, 'Ada', new Date().toISOString());
  const limits = { per_user: 1, memories_per_user: 10, bytes_per_user: 1e9 };
  const deps = { db, clock: systemClock, limits, storage: ROOMY };
  const { harness } = await makeHarness(deps, user.id, { files: [HARNESS_FILE] });
  for (const [rounds, atOnce] of [
    [Math.ceil(writes / writers), writers],
    [1, writes],
  ] as const) {
    if (atOnce === writes) await db.deleteFrom('memories').execute();
    const begun = performance.now();
    const raced = await raceWriters(deps, { user_id: user.id, ref: harness.id }, { rounds, writers: atOnce });
    const fair =
      raced.winners.every((winner) => winner === 1) && raced.versions === rounds && raced.contents === rounds;
    const took = ((performance.now() - begun) / 1_000).toFixed(1);
    process.stdout.write(
      `${engine}: ${rounds} rounds of ${atOnce} writers in ${took} s: ${raced.winners.filter((winner) => winner === 1).length} with ` +
        `one winner, ${raced.versions} versions, ${raced.contents} of the winners' contents kept\n`,
    );
    if (!fair || !raced.newest_is_last_winner) process.exitCode = 1;
  }
  await database.close();
}

const dir = await mkdtemp(join(tmpdir(), 'capstan-soak-'));
await race('SQLite', { engine: 'sqlite', path: join(dir, 'capstan.db'), thread: 'own' });
await rm(dir, { recursive: true, force: true });
const postgres = await startPostgres();
process.env.TEST_POSTGRES_URL = postgres.url;
const { config, drop } = await postgresConfig();
await race('PostgreSQL', config.engine === 'postgres' ? { ...config, pool_size: 20 } : config);
await drop();
await postgres.stop();
