import type { Connection } from './connection.ts';

/** Reads the list of tables from the database itself. */

export interface Table {
  name: string;
  /** In the order of the migrations, which is the same on both engines. */
  columns: readonly string[];
}

export type Queried = Pick<Connection, 'query' | 'engine'>;

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Tables without content: the list of migrations, and counters derived from other tables. */
const OWN = ['schema_migrations', 'storage_usage', 'storage_deltas'];

/** Tables with content, each after the tables that it references. */
export async function listTables(db: Queried): Promise<Table[]> {
  const { columns, references } = await (db.engine === 'postgres' ? ofPostgres(db) : ofSqlite(db));
  const ordered: Table[] = [];
  const add = (name: string): void => {
    if (OWN.includes(name) || ordered.some((table) => table.name === name)) return;
    for (const other of references.get(name) ?? []) if (other !== name) add(other);
    ordered.push({ name, columns: columns.get(name) ?? [] });
  };
  for (const name of [...columns.keys()].sort()) add(name);
  return ordered;
}

interface Found {
  columns: Map<string, string[]>;
  references: Map<string, string[]>;
}

type Pair = { of: string; name: string };

const found = (columns: readonly Pair[], references: readonly Pair[]): Found => ({
  columns: gathered(columns),
  references: gathered(references),
});

function gathered(pairs: readonly Pair[]): Map<string, string[]> {
  const by = new Map<string, string[]>();
  for (const { of, name } of pairs) by.set(of, [...(by.get(of) ?? []), name]);
  return by;
}

const ofSqlite = async (db: Queried): Promise<Found> =>
  found(
    await db.query<Pair>(`SELECT m.name AS of, c.name AS name FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS c
      WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' ORDER BY m.name, c.cid`),
    await db.query<Pair>(`SELECT m.name AS of, k."table" AS name FROM sqlite_master AS m
      JOIN pragma_foreign_key_list(m.name) AS k WHERE m.type = 'table'`),
  );

const ofPostgres = async (db: Queried): Promise<Found> =>
  found(
    await db.query<Pair>(`SELECT table_name AS of, column_name AS name FROM information_schema.columns
      WHERE table_schema = current_schema() ORDER BY table_name, ordinal_position`),
    await db.query<Pair>(`SELECT own.relname AS of, other.relname AS name FROM pg_constraint AS k
      JOIN pg_class AS own ON own.oid = k.conrelid JOIN pg_class AS other ON other.oid = k.confrelid
      WHERE k.contype = 'f' AND k.connamespace = current_schema()::regnamespace`),
  );
