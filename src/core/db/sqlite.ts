import { closeSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { IGenericSqlite } from 'kysely-generic-sqlite';
import { SYNC_LATER } from './wal-sync.ts';

/** node:sqlite as an executor for kysely-generic-sqlite. Runs in the database thread, or in the caller's on request. */

const STATEMENT_CACHE_SIZE = 256;

export interface SqliteOptions extends Record<string, unknown> {
  path: string;
  /** Creates and changes nothing; the file must exist. */
  read_only?: boolean;
  /** How long to wait for a lock; default 10 s. */
  wait_ms?: number;
}

interface Statement {
  statement: StatementSync;
  /** Asking for the columns takes longer than reading a row. */
  has_rows: boolean;
}

export function openSqlite({ path, read_only = false, wait_ms = 10_000 }: SqliteOptions): IGenericSqlite<DatabaseSync> {
  if (!read_only && path !== ':memory:' && !existsSync(path)) makeForOneUser(path);
  const db = new DatabaseSync(path, { timeout: wait_ms, readOnly: read_only });
  if (!read_only) db.exec('PRAGMA journal_mode = WAL;');
  // FULL, because an acknowledged write must survive a power failure, not only a process crash.
  db.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY;');
  const statements = new Map<string, Statement>();
  const prepare = (sql: string): Statement => {
    const known = statements.get(sql);
    if (known !== undefined) {
      statements.delete(sql);
      statements.set(sql, known);
      return known;
    }
    const statement = db.prepare(sql);
    const fresh = { statement, has_rows: statement.columns().length > 0 };
    statements.set(sql, fresh);
    if (statements.size > STATEMENT_CACHE_SIZE) statements.delete(statements.keys().next().value as string);
    return fresh;
  };
  const run: IGenericSqlite['query'] = (_isSelect, sql, parameters) => {
    // A transaction that reads first and writes later could not wait for the lock of another process.
    const { statement, has_rows } = prepare(sql === 'begin' ? 'begin immediate' : sql);
    const values = parameters as SQLInputValue[];
    if (has_rows) return { rows: statement.all(...values) };
    const { changes, lastInsertRowid } = statement.run(...values);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  };
  return {
    db,
    close: () => {
      statements.clear();
      db.close();
    },
    query: (isSelect, sql, parameters) => {
      // SQLite has already rolled back when it could not continue, for example on a full disk. The original error
      // matters.
      if (sql === 'rollback' && !db.isTransaction) return { rows: [] };
      if (!sql.endsWith(SYNC_LATER) || db.isTransaction) return run(isSelect, sql, parameters);
      db.exec('PRAGMA synchronous = NORMAL;');
      try {
        return run(isSelect, sql, parameters);
      } finally {
        db.exec('PRAGMA synchronous = FULL;');
      }
    },
    iterator: (_isSelect, sql, parameters) => prepare(sql).statement.iterate(...(parameters as SQLInputValue[])),
  };
}

/**
 * SQLite creates its other files with the mode of the first. A data directory created by others may be readable by
 * everyone.
 */
const makeForOneUser = (path: string): void => closeSync(openSync(path, 'a', 0o600));
