import { type Kysely, sql, type Transaction } from 'kysely';
import { installNotifyTrigger, isNotifyTriggerInstalled } from '#core/changes/notify-trigger.ts';
import { isoTime } from '#core/clock/clock.ts';
import { coreProblem } from '#core/errors.ts';
import type { Problem } from '#core/problem/problem.ts';
import { areStorageTriggersInstalled, installStorageTriggers } from '#core/storage/triggers.ts';
import { listMigrations, type Migration, readMigration } from './migrations.ts';
import type { Database } from './open.ts';
import type { Schema } from './schema.ts';

/** An arbitrary advisory lock id that no other program should use. */
const MIGRATION_LOCK = 7_201_518;

/** Migrates the schema to this program's version, under a lock and in one transaction. Returns the applied versions. */
export async function migrate(database: Database): Promise<number[]> {
  const { db, engine } = database;
  const isNewest = (await currentVersion(database)) === (await newestVersion());
  if (isNewest && (await areStorageTriggersInstalled(database)) && (await isNotifyTriggerInstalled(database)))
    return [];
  return db.transaction().execute(async (trx) => {
    await lockSchema({ db: trx, engine });
    return migrateTo({ db: trx, engine });
  });
}

interface Migrating {
  db: Transaction<Schema>;
  engine: Database['engine'];
}

/** Prevents other programs from migrating until the transaction ends. */
export async function lockSchema({ db, engine }: Migrating): Promise<void> {
  if (engine === 'postgres') await sql`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(db);
}

/** Migrates to `version`, or to the newest. Returns the applied versions. */
export async function migrateTo({ db, engine }: Migrating, version?: number): Promise<number[]> {
  const migrations = await listMigrations();
  const newest = migrations.at(-1)?.version ?? 0;
  await sql`CREATE TABLE IF NOT EXISTS schema_migrations (
    version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at TEXT NOT NULL)`.execute(db);
  const current = await currentVersion({ db, engine });
  if (current > newest) throw newerDatabase(current, newest);
  const pending = migrations.filter(
    (migration) => migration.version > current && migration.version <= (version ?? newest),
  );
  for (const migration of pending) await apply(db, migration);
  if (pending.at(-1)?.version === newest) await noteDigests(db, migrations);
  if ((pending.at(-1)?.version ?? current) === newest) {
    await installStorageTriggers({ db, engine });
    await installNotifyTrigger({ db, engine });
  }
  return pending.map((migration) => migration.version);
}

/** The version after all of this program's migrations. */
export const newestVersion = async (): Promise<number> => (await listMigrations()).at(-1)?.version ?? 0;

async function apply(trx: Transaction<Schema>, migration: Migration): Promise<void> {
  const { version, name, statements } = await readMigration(migration);
  for (const statement of statements) await sql.raw(statement).execute(trx);
  await trx
    .insertInto('schema_migrations')
    .values({ version, name, applied_at: isoTime(Date.now()) })
    .execute();
}

/** Runs last, because a migration adds the column. Earlier migrations get the digest of their current text. */
async function noteDigests(trx: Transaction<Schema>, migrations: readonly Migration[]): Promise<void> {
  for (const { version, digest } of await Promise.all(migrations.map(readMigration)))
    await trx
      .updateTable('schema_migrations')
      .set({ digest })
      .where('version', '=', version)
      .where('digest', 'is', null)
      .execute();
}

/** How the database compares with this program. Each list is sorted by version. */
export interface MigrationState {
  /** 0 for an empty database. */
  current: number;
  /** The newest version that this program knows. */
  newest: number;
  /** Migrations that `migrate` would apply. */
  pending: Migration[];
  /** Migrations whose text or name has changed since they were applied. */
  edited: Migration[];
  /** Migrations that were never applied although newer ones were. */
  left_out: Migration[];
}

/** Read-only. */
export async function readMigrationState(database: Pick<Database, 'db' | 'engine'>): Promise<MigrationState> {
  const known = await Promise.all((await listMigrations()).map(readMigration));
  const rows = (await isBegun(database))
    ? await database.db.selectFrom('schema_migrations').selectAll().orderBy('version').execute()
    : [];
  const current = rows.at(-1)?.version ?? 0;
  const applied = new Map(rows.map((row) => [row.version, row]));
  return {
    current,
    newest: known.at(-1)?.version ?? 0,
    pending: known.filter((migration) => migration.version > current),
    left_out: known.filter((migration) => migration.version < current && !applied.has(migration.version)),
    edited: known.filter(({ version, name, digest }) => {
      const row = applied.get(version);
      return row !== undefined && (row.name !== name || (row.digest ?? digest) !== digest);
    }),
  };
}

async function isBegun({ db, engine }: Pick<Database, 'db' | 'engine'>): Promise<boolean> {
  const own =
    engine === 'postgres'
      ? sql`SELECT 1 WHERE to_regclass('schema_migrations') IS NOT NULL`
      : sql`SELECT 1 FROM sqlite_master WHERE name = 'schema_migrations'`;
  return (await own.execute(db)).rows.length > 0;
}

async function currentVersion(database: { db: Kysely<Schema>; engine: Database['engine'] }): Promise<number> {
  if (!(await isBegun(database))) return 0;
  const { db } = database;
  const row = await db.selectFrom('schema_migrations').select(db.fn.max('version').as('version')).executeTakeFirst();
  return Number(row?.version ?? 0);
}

const newerDatabase = (current: number, newest: number): Problem =>
  coreProblem(
    'database.unavailable',
    `The database has schema version ${current}; this program supports up to ${newest}. Start the newer ` +
      'program, or restore the backup made before the upgrade.',
    { reason: 'newer_schema' },
  );
