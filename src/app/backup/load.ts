import { sql, type Transaction } from 'kysely';
import { connectionOver } from '#core/db/connection-over.ts';
import { migrateTo } from '#core/db/migrate.ts';
import type { Database } from '#core/db/open.ts';
import { type Row, readTable } from '#core/db/read-table.ts';
import type { Schema } from '#core/db/schema.ts';
import { listTables, type Queried, quoted, type Table } from '#core/db/tables.ts';
import { ORDER_OF, startCensus } from './census.ts';
import type { Checked } from './check-backup.ts';
import { startFile } from './files.ts';
import { damaged, lineOf } from './format.ts';
import { readLines } from './read-lines.ts';

/** Rows per statement, because engines limit parameters. */
const CHUNK = 50;

interface LoadOptions {
  path: string;
  checked: Checked;
  data_dir: string;
}

/** Loads a verified backup into an empty database of the same schema version, and its files next to it. */
export async function load(
  trx: Transaction<Schema>,
  engine: Database['engine'],
  { path, checked, data_dir }: LoadOptions,
): Promise<void> {
  await migrateTo({ db: trx, engine }, checked.header.schema_version);
  const db = connectionOver(trx, engine);
  const tables = new Map((await listTables(db)).map((table) => [table.name, table]));
  refuseOthers(tables, checked);
  // The backup also contains the rows that migrations insert.
  for (const name of tables.keys()) await sql`DELETE FROM ${sql.table(name)}`.execute(trx);
  const put = putter(db, tables);
  let file: Awaited<ReturnType<typeof startFile>> | null = null;
  const endFile = async () => {
    await file?.end();
    file = null;
  };
  for await (const lines of readLines(path))
    for (const { value } of lines) {
      if (Array.isArray(value)) await put.row(value);
      else if ('table' in value) await put.table(value.table, value.columns);
      else if ('bytes' in value) await file?.write(Buffer.from(value.bytes, 'base64'));
      else if ('file' in value) {
        await endFile();
        file = await startFile(data_dir, value.file);
      }
    }
  await put.end();
  await endFile();
  await compare(db, [...tables.values()], checked);
}

function refuseOthers(tables: ReadonlyMap<string, Table>, { header, manifest }: Checked): void {
  const other = Object.keys(manifest.tables).find((name) => !tables.has(name));
  if (other !== undefined || Object.keys(manifest.tables).length !== tables.size)
    throw damaged(`its tables do not match schema version ${header.schema_version}`);
}

function putter(db: Queried, tables: ReadonlyMap<string, Table>) {
  let insert = '';
  let width = 0;
  let waiting: Row[] = [];
  const flush = async (): Promise<void> => {
    const rows = waiting;
    waiting = [];
    if (rows.length === 0) return;
    const one = `(${Array(width).fill('?').join(', ')})`;
    await db.query(`${insert} VALUES ${Array(rows.length).fill(one).join(', ')}`, rows.flat());
  };
  return {
    table: async (name: string, columns: readonly string[]): Promise<void> => {
      await flush();
      const known = tables.get(name)?.columns ?? [];
      if (columns.length !== known.length || columns.some((column) => !known.includes(column)))
        throw damaged(`the columns of ${name} do not match`);
      insert = `INSERT INTO ${quoted(name)} (${columns.map(quoted).join(', ')})`;
      width = columns.length;
    },
    row: async (row: Row): Promise<void> => {
      waiting.push(row);
      if (waiting.length === CHUNK) await flush();
    },
    end: flush,
  };
}

/** Compares the loaded rows with the census of the backup. */
async function compare(db: Queried, tables: readonly Table[], { manifest }: Checked): Promise<void> {
  const census = startCensus([]);
  for (const table of tables) {
    census.table(table.name, table.columns);
    for await (const rows of readTable(db, table, ORDER_OF[table.name]))
      for (const row of rows) census.row(row, lineOf(row));
  }
  const found = census.end();
  for (const { name } of tables)
    if (found.tables[name]?.digest !== manifest.tables[name]?.digest)
      throw new Error(`The table ${name} does not contain the rows that were inserted.`);
}
