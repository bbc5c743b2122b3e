import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createUser } from '#accounts/users/users.ts';
import { migrate } from '#core/db/migrate.ts';
import { openDatabase } from '#core/db/open.ts';
import { postgresConfig, sqliteConfig } from '../databases.ts';
import { startPostgres } from '../postgres.ts';

/** `npm run soak -- chat-quota`: 500 chats of one user at once over five processes take exactly the 100 of the day. */
const PROCESSES = 5;
const CHATS = 100;

const postgres = await startPostgres();
process.env.TEST_POSTGRES_URL = postgres.url;
for (const fresh of [sqliteConfig, postgresConfig]) {
  const { config, drop } = await fresh();
  const database = await openDatabase(config);
  try {
    await migrate(database);
    const { id: user_id } = await createUser(database.db, 'Ada', new Date().toISOString());
    const order = JSON.stringify({ database: { ...config, pool_size: 12 }, user_id, chats: CHATS });
    const child = new URL('../chat-child.ts', import.meta.url).pathname;
    const children = Array.from({ length: PROCESSES }, () => fork(child, [order]));
    const said = async (child: ChildProcess) =>
      (await once(child, 'message', { signal: AbortSignal.timeout(120_000) }))[0];
    await Promise.all(children.map(said));
    const outcomes = children.map(said);
    for (const child of children) child.send('go');
    const all = Object.groupBy(((await Promise.all(outcomes)) as string[][]).flat(), (outcome) => outcome);
    const counts = Object.entries(all).map(([name, list]) => `${name} ${list?.length}`);
    process.stdout.write(`${config.engine}: ${counts.join(', ')}\n`);
    const exact = all.completed?.length === 100 && all['users.quota_exceeded']?.length === PROCESSES * CHATS - 100;
    if (!exact) process.exitCode = 1;
  } finally {
    await database.close();
    await drop();
  }
}
await postgres.stop();
