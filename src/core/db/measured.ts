import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
} from 'kysely';
import { createFairQueue } from '#core/fair-queue/fair-queue.ts';
import { shareInForce } from '#core/fair-queue/on-behalf-of.ts';
import type { Share } from '#core/fair-queue/share.ts';
import { type DatabaseMeter, QUERY_KINDS, type QueryKind } from './meter.ts';

/** Measures the time of queries. If the database has a single connection, users take turns at it. */
export function measuredDialect(dialect: Dialect, engine: string, meter: DatabaseMeter): Dialect {
  const adapter = dialect.createAdapter();
  const isOne = adapter.supportsMultipleConnections === false;
  return {
    // Kysely's own queue for the single connection cannot be measured, and it wakes every waiter each time.
    createAdapter: () => (isOne ? new TurnsAreTaken() : adapter),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createDriver: () => measuredDriver(dialect.createDriver(), engine, meter, isOne ? turns() : null),
  };
}

class TurnsAreTaken extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

interface Turns {
  take(): Promise<void>;
  leave(): void;
}

/** One statement at a time, with an unlimited queue: requests are limited where they arrive. */
function turns(): Turns {
  const most = Number.POSITIVE_INFINITY;
  const queue = createFairQueue({ places: 1, waiting: most, waiting_per_share: most });
  let holder: Share | undefined;
  return {
    async take() {
      const share = shareInForce();
      await queue.take(share);
      holder = share;
    },
    leave: () => queue.giveBack(holder as Share),
  };
}

function measuredDriver(driver: Driver, engine: string, meter: DatabaseMeter, turn: Turns | null): Driver {
  const measured = new WeakSet<DatabaseConnection>();
  const acquire: Driver['acquireConnection'] = async (options) => {
    await turn?.take();
    try {
      return await driver.acquireConnection(options);
    } catch (error) {
      turn?.leave();
      throw error;
    }
  };
  return {
    init: (options) => driver.init(options),
    destroy: (options) => driver.destroy(options),
    beginTransaction: (connection, settings) => driver.beginTransaction(connection, settings),
    commitTransaction: (connection) => driver.commitTransaction(connection),
    rollbackTransaction: (connection) => driver.rollbackTransaction(connection),
    async acquireConnection(options) {
      const askedMs = performance.now();
      meter.waiting++;
      try {
        const connection = await acquire(options);
        meter.waited(engine, performance.now() - askedMs);
        meter.in_use++;
        if (!measured.has(connection)) measure(connection, meter);
        measured.add(connection);
        return connection;
      } finally {
        meter.waiting--;
      }
    },
    async releaseConnection(connection, options) {
      try {
        await driver.releaseConnection(connection, options);
      } finally {
        meter.in_use--;
        turn?.leave();
      }
    },
  };
}

/**
 * Patches the connection in place, as Kysely's logging does, because drivers identify connections by object identity.
 */
function measure(connection: DatabaseConnection, meter: DatabaseMeter): void {
  const execute = connection.executeQuery;
  connection.executeQuery = async <R>(query: CompiledQuery, options?: Parameters<typeof execute>[1]) => {
    const kind = kindOf(query);
    const beganMs = performance.now();
    let failure: unknown;
    try {
      return (await execute.call(connection, query, options)) as QueryResult<R>;
    } catch (error) {
      failure = error;
      meter.erred(kind);
      throw error;
    } finally {
      meter.queried(kind, performance.now() - beganMs);
      meter.onStatement?.(query, kind, beganMs, failure);
    }
  };
}

const KIND_OF_NODE: Readonly<Record<string, QueryKind>> = {
  SelectQueryNode: 'select',
  InsertQueryNode: 'insert',
  UpdateQueryNode: 'update',
  DeleteQueryNode: 'delete',
};

/** The kind of raw SQL is its first word. */
function kindOf({ query, sql }: CompiledQuery): QueryKind {
  const known = KIND_OF_NODE[query.kind];
  if (known !== undefined) return known;
  const [word = ''] = /[a-z]+/i.exec(sql) ?? [];
  return QUERY_KINDS.find((queryKind) => queryKind === word.toLowerCase()) ?? 'other';
}
