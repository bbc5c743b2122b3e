import { sql } from 'kysely';
import type { Database } from '#core/db/open.ts';

/** A database's schema as statements that make it, in an order in which they can be run: the tables, then the rest. */
export interface SchemaText {
  tables: string[];
  /** Indexes; on PostgreSQL constraints too, since rows come before foreign keys. */
  rest: string[];
}

export const schemaOf = (database: Database): Promise<SchemaText> =>
  database.engine === 'sqlite' ? ofSqlite(database) : ofPostgres(database);

/** Those of the program, in the order of their names. */
export async function tablesOf({ db, engine }: Database): Promise<string[]> {
  const { rows } = await (engine === 'sqlite'
    ? sql<{ name: string }>`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY 1`
    : sql<{ name: string }>`SELECT relname AS name FROM pg_class
        WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY relname COLLATE "C"`
  ).execute(db);
  return rows.map(({ name }) => name);
}

async function ofSqlite({ db }: Database): Promise<SchemaText> {
  const { rows } = await sql<{ type: string; text: string }>`
    SELECT type, sql AS text FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%' ORDER BY name
  `.execute(db);
  const [tables, rest] = [true, false].map((is) => rows.filter((row) => (row.type === 'table') === is));
  return { tables: (tables ?? []).map((table) => table.text), rest: (rest ?? []).map((entry) => entry.text) };
}

async function ofPostgres(database: Database): Promise<SchemaText> {
  const { db } = database;
  const text = async (query: ReturnType<typeof sql<{ text: string }>>) =>
    (await query.execute(db)).rows.map((row) => row.text);
  const tables = await text(sql<{ text: string }>`
    SELECT format('CREATE TABLE %I (%s)', relname, string_agg(concat_ws(' ',
      format('%I', attname), format_type(atttypid, atttypmod), CASE WHEN attnotnull THEN 'NOT NULL' END,
      'DEFAULT ' || pg_get_expr(adbin, adrelid)), ', ' ORDER BY attnum)) AS text
    FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
      LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
    GROUP BY relname ORDER BY relname COLLATE "C"`);
  // Keys before what refers to them; PostgreSQL 18 lists NOT NULL among the constraints too.
  const constraints = await text(sql<{ text: string }>`
    SELECT format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS text
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype IN ('p', 'u', 'c', 'f')
    ORDER BY contype = 'f', conrelid::regclass::text COLLATE "C", conname COLLATE "C"`);
  const indexes = await text(sql<{ text: string }>`
    SELECT pg_get_indexdef(indexrelid) AS text FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
    WHERE relnamespace = 'public'::regnamespace
      AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u'))
    ORDER BY relname COLLATE "C"`);
  return { tables, rest: [...constraints, ...indexes] };
}
