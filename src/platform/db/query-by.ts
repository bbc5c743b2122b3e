import { type Kysely, sql } from 'kysely';
import type { Connection } from './connection.ts';
import type { Schema } from './schema.ts';

/** Plain statements over the query builder's own connections, so that one text serves it and the threads without it. */
export const queryBy = (db: Kysely<Schema>): Pick<Connection, 'query'> => ({
  query: async <T>(text: string, parameters: readonly (string | number | null)[] = []) => {
    const parts = text.split('?');
    const statement = sql<T>(Object.assign(parts, { raw: parts }) as unknown as TemplateStringsArray, ...parameters);
    return (await statement.execute(db)).rows;
  },
});
