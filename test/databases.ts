import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { KyselyPlugin } from 'kysely';
import { type Database, type DatabaseConfig, openDatabase } from '#core/db/open.ts';
import { copySqlite, dropPostgresTemplate, onServer, postgresTemplate } from './migrated.ts';
import { startPostgres, type TestPostgres } from './postgres.ts';

/** A fresh, migrated database of one engine. Closed and dropped when the test file ends. */
export interface TestDatabase extends Database {
  config: DatabaseConfig;
}
/**
 * SQLite runs in the thread of the test, because starting a thread takes six times as long as opening the database.
 * Tests of that thread, or that open the file twice, pass `'own'`, as the service does.
 */
export type OpenTestDatabase = (thread?: 'own' | 'same') => Promise<TestDatabase>;

/** For suites that need PostgreSQL: a server takes seconds to start, so it runs on request, as CI does. */
export const NO_POSTGRES: string | false =
  process.env.TEST_POSTGRES_URL === undefined && process.env.TEST_POSTGRES !== '1' && 'set TEST_POSTGRES=1 to run it';

/**
 * Runs the suite once on each engine: `eachDatabase('saving listings', (open, engine) => { test(…) })`.
 * PostgreSQL is the run's shared server (TEST_POSTGRES_URL), or with TEST_POSTGRES=1 one of this file's own.
 */
export function eachDatabase(
  title: string,
  suite: (open: OpenTestDatabase, engine: 'sqlite' | 'postgres') => void,
): void {
  describe(`${title} on SQLite`, () => suite(opener(migratedSqlite), 'sqlite'));
  describe(`${title} on PostgreSQL`, { skip: NO_POSTGRES }, () => suite(opener(migratedPostgres), 'postgres'));
}

/** Runs once, on SQLite, for tests of code without SQL. */
export function oneDatabase(title: string, suite: (open: OpenTestDatabase) => void): void {
  describe(title, () => suite(opener(migratedSqlite)));
}

type SqliteConfig = Extract<DatabaseConfig, { engine: 'sqlite' }>;

interface FreshConfig<C extends DatabaseConfig = DatabaseConfig> {
  config: C;
  drop(): Promise<void>;
}

function opener(fresh: () => Promise<FreshConfig>): OpenTestDatabase {
  const cleanups: (() => Promise<void>)[] = [];
  after(async () => {
    for (const cleanup of cleanups.reverse()) await cleanup();
  });
  return async (thread = 'same') => {
    const { config, drop } = await fresh();
    cleanups.push(drop);
    const database = await openIn(config, thread);
    let closed = false;
    const close = async () => {
      if (closed) return;
      closed = true;
      await database.close();
    };
    cleanups.push(close);
    return { ...database, config, close };
  };
}

async function openIn(config: DatabaseConfig, thread: 'own' | 'same'): Promise<Database> {
  if (config.engine === 'postgres' || thread === 'own') return openDatabase(config);
  const database = await openDatabase({ ...config, thread });
  const db = database.db.withPlugin(AS_FROM_A_THREAD);
  return { ...database, db, reads: db };
}

/** As the thread of the service sends them: rows are copies, and come in a later turn of the event loop. */
const AS_FROM_A_THREAD: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  transformResult: async ({ result }) => {
    await turn();
    return { ...result, rows: structuredClone(result.rows) };
  },
};

/** A place for a database, with nothing in it. */
export async function sqliteConfig(): Promise<FreshConfig<SqliteConfig>> {
  const dir = await mkdtemp(join(tmpdir(), 'capstan-db-'));
  return {
    config: { engine: 'sqlite', path: join(dir, 'capstan.db'), thread: 'own' },
    drop: () => rm(dir, { recursive: true, force: true }),
  };
}

async function migratedSqlite(): Promise<FreshConfig<SqliteConfig>> {
  const fresh = await sqliteConfig();
  await copySqlite(fresh.config.path);
  return fresh;
}

let server: Promise<TestPostgres> | undefined;

async function serverUrl(): Promise<string> {
  const shared = process.env.TEST_POSTGRES_URL;
  if (shared !== undefined) return shared;
  server ??= startPostgres();
  return (await server).url;
}

after(async () => {
  await dropPostgresTemplate();
  if (server !== undefined) await (await server).stop();
});

/** One on SQLite, for tests in which SQL is not what matters. Dropped when it is closed. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const { config, drop } = await migratedSqlite();
  const database = await openIn(config, 'same');
  const close = async () => {
    await database.close();
    await drop();
  };
  return { ...database, config, close };
}

/** A place for a database, with nothing in it. */
export const postgresConfig = (): Promise<FreshConfig> => postgresDatabase('template1');

async function migratedPostgres(): Promise<FreshConfig> {
  const admin = await serverUrl();
  return postgresDatabase(await postgresTemplate(admin));
}

async function postgresDatabase(template: string): Promise<FreshConfig> {
  const admin = await serverUrl();
  const name = `t_${randomBytes(8).toString('hex')}`;
  await onServer(admin, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
  const url = new URL(admin);
  url.pathname = `/${name}`;
  return {
    config: { engine: 'postgres', url: url.href, pool_size: 4 },
    drop: () => onServer(admin, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}
