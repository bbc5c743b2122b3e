import { link, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Kysely, sql, type Transaction } from 'kysely';
import { appProblem } from '#app/errors.ts';
import { connectionOver } from '#core/db/connection-over.ts';
import { lockSchema } from '#core/db/migrate.ts';
import { type Database, type DatabaseConfig, openDatabase } from '#core/db/open.ts';
import type { Schema } from '#core/db/schema.ts';
import { listTables, quoted } from '#core/db/tables.ts';
import type { Problem } from '#core/problem/problem.ts';
import { flushDirectory } from './write-backup.ts';

/** The target of a restore: an empty database, which is filled completely or not at all, even if interrupted. */

type Fill<T> = (trx: Transaction<Schema>, engine: Database['engine']) => Promise<T>;

/**
 * Throws `backup.conflict` (`target_not_empty`), and leaves the target unchanged if `fill` throws. `ready` is called before the
 * commit.
 */
export const fillTarget = <T>(config: DatabaseConfig, fill: Fill<T>, ready: () => Promise<void>): Promise<T> =>
  config.engine === 'sqlite' ? fillSqlite(config.path, fill, ready) : fillPostgres(config, fill, ready);

/** Fills a temporary file and renames it. */
async function fillSqlite<T>(path: string, fill: Fill<T>, ready: () => Promise<void>): Promise<T> {
  await refuseFilledFile(path);
  const draft = `${path}.restore`;
  const clear = async () => {
    for (const end of ['', '-wal', '-shm', '-journal']) await rm(draft + end, { force: true });
  };
  await clear();
  try {
    const filled = await within({ engine: 'sqlite', path: draft, thread: 'same' }, async ({ db, engine }) => {
      const done = await db.transaction().execute((trx) => fill(trx, engine));
      // Everything is in the one file then, which can be renamed.
      await sql`PRAGMA journal_mode = DELETE`.execute(db);
      return done;
    });
    await ready();
    await rm(path, { force: true });
    await link(draft, path).catch((cause: NodeJS.ErrnoException) => {
      throw cause.code === 'EEXIST' ? notEmpty(`${path}, which another program has just created`) : cause;
    });
    await flushDirectory(dirname(path));
    return filled;
  } finally {
    await clear();
  }
}

async function refuseFilledFile(path: string): Promise<void> {
  if ((await stat(path).catch(() => null)) === null) return;
  await within({ engine: 'sqlite', path, thread: 'same' }, refuseRows);
  // The last connection to close deletes this file: another program has the database open, or did not close it.
  if ((await stat(`${path}-wal`).catch(() => null)) !== null) throw notEmpty(`${path}, which another program has open`);
}

/** In one transaction. */
const fillPostgres = <T>(config: DatabaseConfig, fill: Fill<T>, ready: () => Promise<void>): Promise<T> =>
  within(config, ({ db, engine }) =>
    db.transaction().execute(async (trx) => {
      await lockSchema({ db: trx, engine });
      const names = await refuseRows({ db: trx, engine });
      if (names.length > 0) await sql.raw(`DROP TABLE ${names.map(quoted).join(', ')}`).execute(trx);
      await sql`DROP TABLE IF EXISTS schema_migrations`.execute(trx);
      const filled = await fill(trx, engine);
      await ready();
      return filled;
    }),
  );

async function within<T>(config: DatabaseConfig, run: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase(config);
  try {
    return await run(database);
  } finally {
    await database.close();
  }
}

/** The table with rows inserted by migrations. */
const SEEDED = 'change_counters';

/** Returns the names of its tables, all of which must be empty. */
async function refuseRows({ db, engine }: { db: Kysely<Schema>; engine: Database['engine'] }): Promise<string[]> {
  const tables = await listTables(connectionOver(db, engine));
  for (const { name } of tables.filter((table) => table.name !== SEEDED)) {
    const { rows } = await sql`SELECT 1 FROM ${sql.table(name)} LIMIT 1`.execute(db);
    if (rows.length > 0) throw notEmpty(`the database, whose table ${name} has rows`);
  }
  return tables.map(({ name }) => name);
}

const notEmpty = (what: string): Problem =>
  appProblem(
    'backup.conflict',
    `Backups can only be restored into an empty database, not into ${what}. No changes were made. Move it ` +
      'away, or configure another database.',
    { reason: 'target_not_empty' },
  );
