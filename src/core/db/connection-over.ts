import { CompiledQuery, type Kysely } from 'kysely';
import type { Connection } from './connection.ts';
import type { Database } from './open.ts';
import type { Schema } from './schema.ts';

/** Plain SQL with `?` for parameters through a database that is open, or a transaction of it. */
export const connectionOver = (
  db: Kysely<Schema>,
  engine: Database['engine'],
): Pick<Connection, 'query' | 'engine'> => ({
  engine,
  query: async <T>(sql: string, parameters: readonly (string | number | null)[] = []) => {
    let position = 0;
    const text = engine === 'postgres' ? sql.replaceAll('?', () => `$${++position}`) : sql;
    return (await db.executeQuery<T>(CompiledQuery.raw(text, [...parameters]))).rows;
  },
});
