import { createNodeOnMessageCallback } from 'kysely-generic-sqlite/worker-helper-node';
import { openSqlite, type SqliteOptions } from './sqlite.ts';

/** Entry point of the database thread: SQLite's synchronous calls must not block the thread that answers requests. */
createNodeOnMessageCallback<SqliteOptions>(openSqlite);
