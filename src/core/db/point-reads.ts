import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { DatabaseMeter } from './meter.ts';
import type { Schema } from './schema.ts';
import { openSqlite } from './sqlite.ts';

/**
 * Reads of a few rows by key, in the thread that asks. The way to SQLite's own thread and back takes ten times as long as such a
 * read, and every call makes several. Readers see each write that has been answered, and with a write-ahead log they wait for
 * no writer. Whatever fails here, such as a locked file, is read by the database's thread, which knows how to wait and to explain.
 */

interface PointReadsOptions {
  path: string;
  /** Runs in its own thread. */
  db: Kysely<Schema>;
  meter: DatabaseMeter;
}

/** Without transactions, and not for statements that read many rows: they would hold the event loop. */
export const openPointReads = (options: PointReadsOptions): Kysely<Schema> =>
  new Kysely<Schema>({
    dialect: {
      createAdapter: () => new SeveralAtOnce(),
      createQueryCompiler: () => new SqliteQueryCompiler(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createDriver: () => readDriver(options),
    },
  });

/** A read is over when it returns, so none waits for another. */
class SeveralAtOnce extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/** Pages of the file that are kept, in KiB. */
const CACHE_KB = 1_024;

function readDriver({ path, db, meter }: PointReadsOptions): Driver {
  let sqlite: ReturnType<typeof openSqlite> | undefined;
  const rowsNow = ({ sql, parameters }: CompiledQuery): object[] | null => {
    try {
      sqlite ??= opened(path);
      // node:sqlite answers at once; the interface is also of libraries that do not.
      const { rows } = sqlite.query(true, sql, parameters) as { rows: object[] };
      // Like those that a thread sends, and not without a prototype.
      return rows.map((row) => ({ ...row }));
    } catch {
      return null;
    }
  };
  const connection: DatabaseConnection = {
    executeQuery: async <R>(query: CompiledQuery): Promise<QueryResult<R>> => {
      const beganMs = performance.now();
      const rows = rowsNow(query);
      if (rows === null) return db.executeQuery(query as CompiledQuery<R>);
      meter.queried('select', performance.now() - beganMs);
      meter.onStatement?.(query, 'select', beganMs, undefined);
      return { rows: rows as R[] };
    },
    streamQuery: refused,
  };
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
    beginTransaction: refused,
    commitTransaction: refused,
    rollbackTransaction: refused,
    destroy: async () => void sqlite?.close(),
  };
}

function opened(path: string): ReturnType<typeof openSqlite> {
  const sqlite = openSqlite({ path, read_only: true, wait_ms: 0 });
  sqlite.db.exec(`PRAGMA cache_size = -${CACHE_KB};`);
  return sqlite;
}

function refused(): never {
  throw new Error('Point reads have no transactions and no streams.');
}
