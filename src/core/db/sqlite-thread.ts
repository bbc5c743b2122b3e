import { createNodeOnMessageCallback } from 'kysely-generic-sqlite/worker-helper-node';
import { openSqlite, type SqliteOptions } from './sqlite.ts';

/** Entry of the database thread: SQLite's synchronous calls never hold up the thread that answers requests. */
createNodeOnMessageCallback<SqliteOptions>(openSqlite);
