import { readdir, readFile } from 'node:fs/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import { isoTime } from '../clock.ts';
import { Problem } from '../problem.ts';
import type { Database } from './open.ts';
import type { Schema } from './schema.ts';

const MIGRATIONS_DIR = new URL('../../../db/migrations/', import.meta.url);
/** Any number that no other program uses as its advisory lock. */
const MIGRATION_LOCK = 7_201_518;

interface Migration {
  version: number;
  name: string;
}

/** Brings the schema to this program's version, under a lock, all or nothing. Answers the versions applied. */
export async function migrate({ db, engine }: Database): Promise<number[]> {
  const migrations = await listMigrations();
  const newest = migrations.at(-1)?.version ?? 0;
  if ((await currentVersion(db, engine)) === newest) return [];
  return db.transaction().execute(async (trx) => {
    if (engine === 'postgres') await sql`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(trx);
    await sql`CREATE TABLE IF NOT EXISTS schema_migrations (
      version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at TEXT NOT NULL)`.execute(trx);
    const current = await currentVersion(trx, engine);
    if (current > newest) throw newerDatabase(current, newest);
    const pending = migrations.filter((it) => it.version > current);
    for (const migration of pending) await apply(trx, migration);
    return pending.map((it) => it.version);
  });
}

/** The versions that `migrate` would apply. */
export async function pendingMigrations({ db, engine }: Database): Promise<number[]> {
  const current = await currentVersion(db, engine);
  return (await listMigrations()).map((it) => it.version).filter((version) => version > current);
}

async function apply(trx: Transaction<Schema>, { version, name }: Migration): Promise<void> {
  const text = await readFile(new URL(`${name}.sql`, MIGRATIONS_DIR), 'utf8');
  for (const statement of splitStatements(text)) await sql.raw(statement).execute(trx);
  await trx
    .insertInto('schema_migrations')
    .values({ version, name, applied_at: isoTime(Date.now()) })
    .execute();
}

async function currentVersion(db: Kysely<Schema>, engine: Database['engine']): Promise<number> {
  const own =
    engine === 'postgres'
      ? sql`SELECT 1 WHERE to_regclass('schema_migrations') IS NOT NULL`
      : sql`SELECT 1 FROM sqlite_master WHERE name = 'schema_migrations'`;
  if ((await own.execute(db)).rows.length === 0) return 0;
  const row = await db.selectFrom('schema_migrations').select(db.fn.max('version').as('version')).executeTakeFirst();
  return Number(row?.version ?? 0);
}

async function listMigrations(): Promise<Migration[]> {
  const files = (await readdir(MIGRATIONS_DIR)).filter((file) => file.endsWith('.sql')).sort();
  return files.map((file) => ({ version: Number.parseInt(file, 10), name: file.slice(0, -'.sql'.length) }));
}

/** Migrations keep to one rule: a statement ends with `;` at the end of a line, and nowhere else is such a line end. */
export const splitStatements = (text: string): string[] =>
  text
    .replace(/^\s*--.*$/gm, '')
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter(Boolean);

const newerDatabase = (current: number, newest: number): Problem =>
  new Problem(
    'unavailable',
    'database.newer_than_program',
    `The database is at schema version ${current}, this program knows ${newest}. ` +
      'Start the newer program, or restore the backup taken before the upgrade.',
  );
