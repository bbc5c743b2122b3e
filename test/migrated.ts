import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Pool } from 'pg';
import { migrate } from '#core/db/migrate.ts';
import { type DatabaseConfig, openDatabase } from '#core/db/open.ts';
import { defined } from '#core/defined.ts';

/**
 * Migrated, empty databases to copy: a copy takes a hundredth of the migration. A run makes one of each engine and names
 * them in the environment; a file that runs alone makes its own. The migrations themselves are tested in migrate.db.test.ts.
 * Benches are stood up by this too: nothing here may load `node:test`, whose hooks make every promise dearer.
 */

interface Templates {
  env: { TEST_SQLITE_TEMPLATE: string; TEST_POSTGRES_TEMPLATE?: string };
  drop(): Promise<void>;
}

/** Without the URL of a server, for SQLite alone. */
export async function makeTemplates(postgres_url: string | null): Promise<Templates> {
  const [sqlite, postgres] = await Promise.all([
    makeSqlite(),
    postgres_url === null ? null : makePostgres(postgres_url),
  ]);
  return {
    env: { TEST_SQLITE_TEMPLATE: sqlite.at, ...defined({ TEST_POSTGRES_TEMPLATE: postgres?.at }) },
    drop: async () => void (await Promise.all([sqlite.drop(), postgres?.drop()])),
  };
}

interface Template {
  /** Path of the file, or name of the database. */
  at: string;
  drop(): Promise<void>;
}

/** One of the run, which drops it. */
const named = (at: string | undefined): Promise<Template> | undefined =>
  at === undefined ? undefined : Promise.resolve({ at, drop: async () => {} });

let ownSqlite: Promise<Template> | undefined;

/** Puts a migrated SQLite database where nothing is yet. */
export async function copySqlite(path: string): Promise<void> {
  ownSqlite ??= named(process.env.TEST_SQLITE_TEMPLATE) ?? makeOwnSqlite();
  await copyFile((await ownSqlite).at, path);
}

let ownPostgres: Promise<Template> | undefined;

/** Name of a migrated database on this server, to be copied. */
export async function postgresTemplate(admin: string): Promise<string> {
  ownPostgres ??= named(process.env.TEST_POSTGRES_TEMPLATE) ?? makePostgres(admin);
  return (await ownPostgres).at;
}

/** Once nobody copies it any more. */
export const dropPostgresTemplate = async (): Promise<void> => (await ownPostgres)?.drop();

async function makeOwnSqlite(): Promise<Template> {
  const made = await makeSqlite();
  process.once('exit', () => rmSync(dirname(made.at), { recursive: true, force: true }));
  return made;
}

async function makeSqlite(): Promise<Template> {
  const dir = await mkdtemp(join(tmpdir(), 'capstan-template-'));
  const path = join(dir, 'capstan.db');
  await migrateNew({ engine: 'sqlite', path, thread: 'same' });
  return { at: path, drop: () => rm(dir, { recursive: true, force: true }) };
}

async function makePostgres(admin: string): Promise<Template> {
  const name = `template_${randomBytes(8).toString('hex')}`;
  await onServer(admin, `CREATE DATABASE ${name}`);
  await migrateNew({
    engine: 'postgres',
    url: Object.assign(new URL(admin), { pathname: `/${name}` }).href,
    pool_size: 1,
  });
  return { at: name, drop: () => onServer(admin, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

async function migrateNew(config: DatabaseConfig): Promise<void> {
  const database = await openDatabase(config);
  await migrate(database);
  await database.close();
}

const pools = new Map<string, Pool>();

/** By a connection that is kept for the next statement, and holds no process open. */
export async function onServer(url: string, statement: string): Promise<void> {
  const { default: pg } = await import('pg');
  const pool = pools.get(url) ?? new pg.Pool({ connectionString: url, max: 2, allowExitOnIdle: true });
  if (!pools.has(url)) {
    pools.set(url, pool);
    // Its server, or its database, may go first.
    pool.on('error', () => {});
  }
  await pool.query(statement);
}
