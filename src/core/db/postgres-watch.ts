import type { Socket } from 'node:net';
import type pg from 'pg';

/**
 * Notices a PostgreSQL that has fallen silent: behind a cut cable nothing says that a connection is dead, and whoever asked
 * would wait for as long as TCP does. While something waits, a connection of its own asks whether anybody is there; where
 * nobody answers, all of the pool's are ended, so that those who wait are told and the next begin anew. A long statement on
 * a server that answers is left alone.
 */

const LOOK_MS = 200;
/** A connection that is held for so long may be waiting for nobody. */
const PATIENCE_MS = 400;
/** As long as two seconds allow: on a busy machine a server needs its time to begin a connection. */
const ANSWER_MS = 1_100;
/** Time that this process itself was late says nothing of the server. */
const LATE_MS = 200;
/** A busy server that is there may take longer to begin a connection than there is time for one: another try, until then. */
const TRY_AGAIN_MS = 8_000;
const BEGINS_LATE = /^timeout expired$/;
/** Whoever waits for one of the pool's is told within two seconds that nobody answers: this, and the answer's time. */
const ASK_AFTER_MS = 800;

export interface WatchOptions {
  pool: pg.Pool;
  /** One that is not connected yet. */
  client(timeout_ms: number): pg.Client;
}

export interface PostgresWatch {
  /** One of the pool's: waited for while the server answers and all are in use, refused where it does not. */
  connect(): Promise<pg.PoolClient>;
}

export function watchPostgres({ pool, client }: WatchOptions): PostgresWatch {
  const all = new Set<pg.PoolClient>();
  const held = new Map<pg.PoolClient, number>();
  let timer: NodeJS.Timeout | undefined;
  let is_asking = false;
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
    if (is_asking || ![...held.values()].some((since) => now - since > PATIENCE_MS)) return;
    is_asking = true;
    if (await isSilent()) for (const one of all) cut(one);
    // Who holds one for long is asked about again after a while, not all the time.
    for (const one of held.keys()) held.set(one, performance.now());
    is_asking = false;
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
      // It was asked meanwhile, and answered.
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

/** Whether it settles in that time. */
async function isSettled(promise: Promise<unknown>, within_ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, within_ms, false);
  });
  const settled = promise.then(
    () => true as const,
    () => true as const,
  );
  return Promise.race([settled, late]).finally(() => clearTimeout(timer));
}

async function fallenSilent(client: WatchOptions['client']): Promise<boolean> {
  const began = performance.now();
  const is_there = await answers(client(ANSWER_MS));
  return !is_there && performance.now() - began <= ANSWER_MS + LATE_MS;
}

async function answers(client: pg.Client): Promise<boolean> {
  client.on('error', () => {});
  let is_connected = false;
  try {
    await client.connect();
    is_connected = true;
    await client.query('SELECT 1');
    return true;
  } catch (error) {
    // One that refuses, for too many connections say, is there; and one that has begun to let us in is busy, not absent.
    if ((error as { severity?: string }).severity !== undefined) return true;
    return !is_connected && streamOf(client).bytesRead > 0;
  } finally {
    cut(client);
  }
}

/** At once, without a word to a server that would not hear it. */
const cut = (client: pg.ClientBase): void => void streamOf(client).destroy();

const streamOf = (client: pg.ClientBase): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;
