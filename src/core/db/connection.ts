import type { DatabaseConfig } from './open.ts';
import { openSqlite } from './sqlite.ts';
import { withPlainSslMode } from './ssl-mode.ts';

/**
 * A plain connection for threads that may block and must stay small; a query builder would cost 25 MB per thread.
 * Statements use the SQL subset of both engines, with `?` parameters.
 */
export interface Connection {
  engine: 'sqlite' | 'postgres';
  query<T>(sql: string, parameters?: readonly (string | number | null)[]): Promise<T[]>;
  close(): Promise<void>;
}

export const openConnection = (config: DatabaseConfig): Promise<Connection> =>
  config.engine === 'sqlite' ? sqliteConnection(config.path) : postgresConnection(config.url);

/** Runs `read` on one snapshot of the database, so that it never sees part of a transaction. */
export async function atOneMoment<T>(connection: Connection, read: () => Promise<T>): Promise<T> {
  await connection.query(
    connection.engine === 'postgres' ? 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' : 'BEGIN DEFERRED',
  );
  try {
    return await read();
  } finally {
    await connection.query('ROLLBACK');
  }
}

async function sqliteConnection(path: string): Promise<Connection> {
  const sqlite = openSqlite({ path });
  return {
    engine: 'sqlite',
    query: async <T>(sql: string, parameters: readonly (string | number | null)[] = []) =>
      (await sqlite.query(false, sql, [...parameters])).rows as T[],
    close: async () => sqlite.close(),
  };
}

async function postgresConnection(url: string): Promise<Connection> {
  const { default: pg } = await import('pg');
  const { typesOf } = await import('./postgres-types.ts');
  const client = new pg.Client({
    connectionString: withPlainSslMode(url),
    connectionTimeoutMillis: 2_000,
    types: typesOf(pg.types),
  });
  // If the server drops the connection, the next query rejects. Without a listener, the event would end the thread.
  client.on('error', () => {});
  await client.connect();
  return {
    engine: 'postgres',
    query: async <T>(sql: string, parameters: readonly (string | number | null)[] = []) => {
      let position = 0;
      const { rows } = await client.query(
        sql.replaceAll('?', () => `$${++position}`),
        [...parameters],
      );
      return rows as T[];
    },
    close: () => client.end(),
  };
}
