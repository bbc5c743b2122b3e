import { readdir, readFile, writeFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync, gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import type { Database, DatabaseConfig } from '#core/db/open.ts';
import { onServer } from '../migrated.ts';
import { schemaOf, tablesOf } from './schema-of.ts';

/** Databases as programs of the past have left them: statements that make schema and rows, one file an engine. */

const DIR = new URL('./stored/', import.meta.url);
type Engine = Database['engine'];

export interface StoredDatabase {
  /** Of its schema: the newest migration. */
  version: number;
  engine: Engine;
}

const nameOf = ({ version, engine }: StoredDatabase): string => `${`${version}`.padStart(4, '0')}.${engine}.sql.gz`;

export async function listStored(engine: Engine): Promise<StoredDatabase[]> {
  const names = (await readdir(DIR)).filter((name) => name.endsWith(`.${engine}.sql.gz`)).sort();
  return names.map((name) => ({ version: Number.parseInt(name, 10), engine }));
}

/** Puts a stored database where nothing is yet. */
export async function load(stored: StoredDatabase, config: DatabaseConfig): Promise<void> {
  const text = gunzipSync(await readFile(new URL(nameOf(stored), DIR))).toString();
  if (config.engine === 'postgres') return onServer(config.url, text);
  const sqlite = new DatabaseSync(config.path);
  sqlite.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; BEGIN;\n${text}COMMIT;`);
  sqlite.close();
}

/** Writes what is there into the file of its version. Answers the file's size. */
export async function store(database: Database): Promise<{ stored: StoredDatabase; bytes: number }> {
  const { tables, rest } = await schemaOf(database);
  const inserts = (await Promise.all((await tablesOf(database)).map((name) => insertsOf(database, name)))).flat();
  const text = [...tables, ...inserts, ...rest].map((table) => `${table};\n`).join('');
  const { version } = await database.db
    .selectFrom('schema_migrations')
    .select((eb) => eb.fn.max('version').as('version'))
    .executeTakeFirstOrThrow();
  const stored = { version, engine: database.engine };
  const packed = gzipSync(text, { level: 9 });
  await writeFile(new URL(nameOf(stored), DIR), packed);
  return { stored, bytes: packed.length };
}

export type Row = Record<string, string | number | null>;

/** All of it, or these columns. */
export async function rowsOf({ db }: Database, table: string, columns?: readonly string[]): Promise<Row[]> {
  const names = columns === undefined ? sql`*` : sql.join(columns.map((name) => sql.ref(name)));
  return (await sql<Row>`SELECT ${names} FROM ${sql.table(table)}`.execute(db)).rows;
}

async function insertsOf(database: Database, table: string): Promise<string[]> {
  const rows = (await rowsOf(database, table)).map((row) => Object.values(row).map(literal).join(', '));
  return rows.sort().map((values) => `INSERT INTO ${table} VALUES (${values})`);
}

function literal(value: string | number | null): string {
  if (value === null) return 'NULL';
  if (typeof value === 'number') return `${value}`;
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  throw new Error(`no literal is known for ${typeof value}`);
}
