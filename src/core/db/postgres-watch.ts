import type { Socket } from 'node:net';
import type pg from 'pg';

/**
 * Detects a PostgreSQL server that stops responding. If a cable is cut, nothing reports that a connection is dead, and
 * callers would wait for the TCP timeout. While something waits, a separate connection checks whether the server
 * responds. If not, all connections of the pool are closed, so that waiting callers are rejected and new ones
 * reconnect. Long statements on a responding server are not affected.
 */

const LOOK_MS = 200;
/** A connection in use for longer than this may be waiting for a dead server. */
const PATIENCE_MS = 400;
/** As long as the two seconds allow, because a busy server needs time to accept a connection. */
const ANSWER_MS = 1_100;
/** Delays of this process itself are not attributed to the server. */
const LATE_MS = 200;
/** A busy server may need longer to accept a connection than the timeout allows; retry until then. */
const TRY_AGAIN_MS = 8_000;
const BEGINS_LATE = /^timeout expired$/;
/**
 * Together with the probe's timeout, callers waiting for a connection of the pool learn within two seconds that the
 * server is gone.
 */
const ASK_AFTER_MS = 800;

interface WatchOptions {
  pool: pg.Pool;
  /** Creates a client that is not connected yet. */
  client(timeoutMs: number): pg.Client;
}

interface PostgresWatch {
  /**
   * Takes a connection of the pool. Waits while the server responds and all are in use, and rejects if it does not
   * respond.
   */
  connect(): Promise<pg.PoolClient>;
}

export function watchPostgres({ pool, client }: WatchOptions): PostgresWatch {
  const all = new Set<pg.PoolClient>();
  const held = new Map<pg.PoolClient, number>();
  let timer: NodeJS.Timeout | undefined;
  let isAsking = false;
  let asking: Promise<boolean> | undefined;
  const isSilent = () => {
    asking ??= fallenSilent(client).finally(() => {
      asking = undefined;
    });
    return asking;
  };
  const rest = () => {
    clearInterval(timer);
    timer = undefined;
  };
  const look = async () => {
    const now = performance.now();
    if (isAsking || ![...held.values()].some((since) => now - since > PATIENCE_MS)) return;
    isAsking = true;
    if (await isSilent()) for (const one of all) cut(one);
    // Connections in use for long are checked again after a while, not continuously.
    for (const one of held.keys()) held.set(one, performance.now());
    isAsking = false;
  };
  pool.on('connect', (one) => all.add(one));
  pool.on('remove', (one) => all.delete(one));
  pool.on('acquire', (one) => {
    held.set(one, performance.now());
    timer ??= setInterval(look, LOOK_MS).unref();
  });
  pool.on('release', (_error, one) => {
    held.delete(one);
    if (held.size === 0) rest();
  });
  return { connect: () => connecting(pool, isSilent) };
}

async function connecting(pool: pg.Pool, isSilent: () => Promise<boolean>): Promise<pg.PoolClient> {
  const until = performance.now() + TRY_AGAIN_MS;
  for (;;) {
    try {
      return await connectOnce(pool, isSilent);
    } catch (error) {
      // The server was checked in the meantime and responded.
      if (!BEGINS_LATE.test((error as Error).message) || performance.now() > until) throw error;
    }
  }
}

async function connectOnce(pool: pg.Pool, isSilent: () => Promise<boolean>): Promise<pg.PoolClient> {
  const waiting = pool.connect();
  while (!(await isSettled(waiting, ASK_AFTER_MS))) {
    if (!(await isSilent())) continue;
    waiting.then(
      (late) => late.release(),
      () => {},
    );
    throw new Error('timeout exceeded when trying to connect');
  }
  return waiting;
}

/** Resolves to whether the promise settles in time. */
async function isSettled(promise: Promise<unknown>, withinMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, withinMs, false);
  });
  const settled = promise.then(
    () => true as const,
    () => true as const,
  );
  return Promise.race([settled, late]).finally(() => clearTimeout(timer));
}

async function fallenSilent(client: WatchOptions['client']): Promise<boolean> {
  const began = performance.now();
  const isThere = await answers(client(ANSWER_MS));
  return !isThere && performance.now() - began <= ANSWER_MS + LATE_MS;
}

async function answers(client: pg.Client): Promise<boolean> {
  client.on('error', () => {});
  let isConnected = false;
  try {
    await client.connect();
    isConnected = true;
    await client.query('SELECT 1');
    return true;
  } catch (error) {
    // A server that rejects the connection, for example because there are too many, is alive. One that has begun to
    // respond is busy, not gone.
    if ((error as { severity?: string }).severity !== undefined) return true;
    return !isConnected && streamOf(client).bytesRead > 0;
  } finally {
    cut(client);
  }
}

/** Closes the socket without notifying the server, which would not receive it. */
const cut = (client: pg.ClientBase): void => void streamOf(client).destroy();

const streamOf = (client: pg.ClientBase): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;
