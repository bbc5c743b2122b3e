import type pg from 'pg';

/**
 * Notices a PostgreSQL that has fallen silent: behind a cut cable nothing says that a connection is dead, and whoever asked
 * would wait for as long as TCP does. While something waits, a connection of its own asks whether anybody is there; where
 * nobody answers, all of the pool's are ended, so that those who wait are told and the next begin anew. A long statement on
 * a server that answers is left alone.
 */

const LOOK_MS = 200;
/** A connection that is held for so long may be waiting for nobody. */
const PATIENCE_MS = 500;
/** Twice in a row: once may be a busy machine. */
const ANSWER_MS = 500;
const ASKED = 2;
/** Time that this process itself was late says nothing of the server. */
const LATE_MS = 200;

export interface WatchOptions {
  pool: pg.Pool;
  /** One that is not connected yet. */
  client(timeout_ms: number): pg.Client;
}

export function watchPostgres({ pool, client }: WatchOptions): void {
  const all = new Set<pg.PoolClient>();
  const held = new Map<pg.PoolClient, number>();
  let timer: NodeJS.Timeout | undefined;
  let is_asking = false;
  const rest = () => {
    clearInterval(timer);
    timer = undefined;
  };
  const look = async () => {
    const now = performance.now();
    if (is_asking || ![...held.values()].some((since) => now - since > PATIENCE_MS)) return;
    is_asking = true;
    if (await isSilent(client)) for (const one of all) cut(one);
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
}

async function isSilent(client: WatchOptions['client']): Promise<boolean> {
  for (let asked = 0; asked < ASKED; asked++) {
    const began = performance.now();
    if (await answers(client(ANSWER_MS))) return false;
    if (performance.now() - began > ANSWER_MS + LATE_MS) return false;
  }
  return true;
}

async function answers(client: pg.Client): Promise<boolean> {
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } catch {
    return false;
  } finally {
    cut(client);
  }
}

/** At once, without a word to a server that would not hear it. */
const cut = (client: pg.ClientBase): void => {
  const { connection } = client as unknown as { connection: { stream: { destroy(error?: Error): void } } };
  connection.stream.destroy();
};
