import { Worker } from 'node:worker_threads';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { GenericSqliteDialect } from 'kysely-generic-sqlite';
import { GenericSqliteWorkerDialect } from 'kysely-generic-sqlite/worker';
import { createNodeWorkerExecutor } from 'kysely-generic-sqlite/worker-helper-node';
import type { ClientConfig } from 'pg';
import { measuredDialect } from './measured.ts';
import { type DatabaseMeter, databaseMeter } from './meter.ts';
import { openPointReads } from './point-reads.ts';
import type { Schema } from './schema.ts';
import { openSqlite } from './sqlite.ts';
import { withPlainSslMode } from './ssl-mode.ts';
import { openWalSync } from './wal-sync.ts';

/**
 * Plain data, so that it can be passed to a worker thread. `thread: 'same'` is for threads that may block. With
 * `read_only`, the file must exist.
 */
export type DatabaseConfig =
  | { engine: 'sqlite'; path: string; thread: 'own' | 'same'; read_only?: boolean }
  | { engine: 'postgres'; url: string; pool_size: number };

export interface Database {
  db: Kysely<Schema>;
  /** For reads of a few rows by key, outside of transactions, which every call makes. */
  reads: Kysely<Schema>;
  /** Resolves when what statements with `SYNC_LATER` wrote survives a power failure. */
  sync(): Promise<void>;
  engine: 'sqlite' | 'postgres';
  /** Measures how this process uses the database. */
  meter: DatabaseMeter;
  /** Rejects if the database does not respond. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export async function openDatabase(config: DatabaseConfig): Promise<Database> {
  const { engine } = config;
  const meter = databaseMeter();
  const db = new Kysely<Schema>({ dialect: measuredDialect(await dialectOf(config), engine, meter) });
  const hasThread = config.engine === 'sqlite' && config.thread === 'own';
  const reads = hasThread ? openPointReads({ path: config.path, db, meter }) : db;
  const wal = config.engine === 'sqlite' ? openWalSync(config.path) : null;
  return {
    db,
    reads,
    sync: async () => wal?.sync(),
    engine,
    meter,
    ping: async () => {
      await sql`SELECT 1`.execute(db);
    },
    close: async () => {
      // The last connection that closes puts the write-ahead log into the file, so it is the one that may write.
      if (reads !== db) await reads.destroy();
      await db.destroy();
      wal?.close();
    },
  };
}

async function dialectOf(config: DatabaseConfig) {
  if (config.engine === 'postgres') return postgresDialect(config.url, config.pool_size);
  const { path, read_only = false } = config;
  if (config.thread === 'same') return new GenericSqliteDialect(() => openSqlite({ path, read_only }));
  return new GenericSqliteWorkerDialect(
    createNodeWorkerExecutor({
      worker: () => new Worker(new URL('./sqlite-thread.ts', import.meta.url)),
      data: { path, read_only },
    }),
  );
}

/** Short enough to reject within two seconds if the server is gone. */
const CONNECT_MS = 1_200;
/** How long to wait for a connection of the pool while all are busy. */
const TURN_MS = 10_000;

/** Loads pg only if it is used, so that SQLite starts without it. */
async function postgresDialect(url: string, poolSize: number) {
  const { default: pg } = await import('pg');
  const { typesOf } = await import('./postgres-types.ts');
  const { watchPostgres } = await import('./postgres-watch.ts');
  const server = { connectionString: withPlainSslMode(url), application_name: 'capstan', keepAlive: true };
  const pool = new pg.Pool({
    ...server,
    max: poolSize,
    connectionTimeoutMillis: TURN_MS,
    Client: class extends pg.Client {
      constructor(options?: ClientConfig) {
        super({ ...options, connectionTimeoutMillis: CONNECT_MS });
      }
    },
    types: typesOf(pg.types),
  });
  // If the server drops a connection, its next use rejects. Without listeners, the event would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const watch = watchPostgres({
    pool,
    client: (timeoutMs) => new pg.Client({ ...server, connectionTimeoutMillis: timeoutMs, query_timeout: timeoutMs }),
  });
  return new PostgresDialect({ pool: { options: pool.options, connect: watch.connect, end: () => pool.end() } });
}
