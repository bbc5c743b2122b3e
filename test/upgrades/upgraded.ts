import assert from 'node:assert/strict';
import { migrate, readMigrationState } from '#core/db/migrate.ts';
import type { Database, DatabaseConfig } from '#core/db/open.ts';
import { openDatabase } from '#core/db/open.ts';
import { type SchemaText, schemaOf, tablesOf } from './schema-of.ts';
import { load, type Row, rowsOf, type StoredDatabase } from './stored-database.ts';

/** Columns that an upgrade clears on purpose: what is stored is measured again when its triggers have changed. */
const CLEARED: Record<string, readonly string[]> = { users: ['storage_measured_at'] };

/** Tables whose rows a migration has moved to another, which assigns new ids. */
const MOVED: Record<string, string> = { audit_entries: 'audit_log' };

/** Loads it where nothing is, brings it to this program's version, and looks that no row was lost or changed by that. */
export async function upgrade(stored: StoredDatabase, config: DatabaseConfig, fresh: SchemaText): Promise<void> {
  await load(stored, config);
  const database = await openDatabase(config);
  try {
    const before = await contentsOf(database);
    const { pending } = await readMigrationState(database);
    assert.deepEqual(
      await migrate(database),
      pending.map((migration) => migration.version),
    );
    assert.deepEqual((await readMigrationState(database)).pending, []);
    assert.deepEqual(inOneLine(await schemaOf(database)), inOneLine(fresh), 'the schema is that of a fresh database');
    for (const [table, { columns, rows }] of before) {
      const now = texts(await rowsOf(database, MOVED[table] ?? table, columns));
      const missing = texts(rows.filter((row) => !isReplaced(row))).filter((text) => !now.includes(text));
      assert.deepEqual(missing, [], `rows of ${table}`);
      // Only counters and the list of migrations get rows by a migration.
      if (!['change_counters', 'schema_migrations'].includes(table)) assert.equal(now.length, rows.length, table);
    }
  } finally {
    await database.close();
  }
}

/** Names the triggers that count storage, which a migration installs again when they have changed. */
const isReplaced = ({ name }: Row): boolean => String(name).startsWith('storage_triggers:');

/** SQLite keeps statements as they were written, line ends and all. */
const inOneLine = ({ tables, rest }: SchemaText): string[] =>
  [...tables, ...rest].map((table) => table.replace(/\s+/g, ' ').replaceAll('( ', '('));

type Contents = Map<string, { columns: string[]; rows: Row[] }>;

async function contentsOf(database: Database): Promise<Contents> {
  const contents: Contents = new Map();
  for (const table of await tablesOf(database)) {
    const rows = await rowsOf(database, table);
    const columns = Object.keys(rows[0] ?? {}).filter(
      (name) => !CLEARED[table]?.includes(name) && !(table in MOVED && name === 'id'),
    );
    if (columns.length > 0) contents.set(table, { columns, rows: await rowsOf(database, table, columns) });
  }
  return contents;
}

const texts = (rows: readonly Row[]): string[] => rows.map((row) => JSON.stringify(row)).sort();
