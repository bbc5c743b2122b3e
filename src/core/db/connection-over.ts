import { CompiledQuery, type Kysely } from 'kysely';
import type { Connection } from './connection.ts';
import type { Database } from './open.ts';
import type { Schema } from './schema.ts';

/** Runs plain SQL with `?` parameters on an open database or one of its transactions. */
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
