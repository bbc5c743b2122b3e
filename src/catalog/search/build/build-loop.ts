import { parentPort, workerData } from 'node:worker_threads';
import { type Connection, openConnection } from '#core/db/connection.ts';
import type { DatabaseConfig } from '#core/db/open.ts';

/** What a building thread does: it follows the database and posts every new state of an index. */

export interface FollowOptions {
  database: DatabaseConfig;
  /** How often other processes' changes are looked for. */
  poll_ms: number;
}
export type ToWorker = { kind: 'refresh'; id: number } | { kind: 'close' };
export type FromWorker<State> =
  | { kind: 'state'; state: State; change: number; build_ms: number }
  | { kind: 'refreshed'; id: number }
  | { kind: 'failed'; message: string };

export interface Follower<Following, State> {
  /** `early`: what can be used already while the rest is read. */
  start(connection: Connection, early: (following: Following) => void): Promise<Following>;
  /** Null where nothing changed. */
  follow(connection: Connection, before: Following): Promise<Following | null>;
  stateOf(following: Following): State;
  /** The number of the newest change that it holds. */
  changeOf(following: Following): number;
}

const LONGEST_WAIT_MS = 30_000;
/** After a base was built: what changed meanwhile has waited for all of that. */
const LONGEST_REST_MS = 1_000;
const STEP_MS = 50;

/** Until it is told to close. To be called once, in a thread whose data are `FollowOptions` or more. */
export async function followForever<Following, State>(follower: Follower<Following, State>): Promise<void> {
  const { database, poll_ms } = workerData as FollowOptions;
  const port = parentPort as NonNullable<typeof parentPort>;
  const send = (message: FromWorker<State>): void => port.postMessage(message);
  const orders = takeOrders(port);
  let connection: Connection | null = null;
  let following: Following | null = null;
  let failures = 0;
  while (!orders.isClosing()) {
    const answering = orders.take();
    const started = performance.now();
    const worked = process.threadCpuUsage();
    try {
      connection ??= await openConnection(database);
      const give = (found: Following): void => {
        const [state, change] = [follower.stateOf(found), follower.changeOf(found)];
        send({ kind: 'state', state, change, build_ms: performance.now() - started });
      };
      const next: Following | null =
        following === null ? await follower.start(connection, give) : await follower.follow(connection, following);
      if (next !== null) {
        following = next;
        give(next);
      }
      for (const id of answering) send({ kind: 'refreshed', id });
      failures = 0;
    } catch (error) {
      failures++;
      // A connection may have died with its server; the next round opens another.
      await connection?.close().catch(() => {});
      connection = null;
      orders.giveBack(answering);
      send({ kind: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
    // A failed round is not repeated at once, and building takes at most half of a core unless asked to. What a round waited,
    // for the database or for a core, is no reason to be later still.
    const { user, system } = process.threadCpuUsage(worked);
    if (failures > 0) await orders.longPause(Math.min(LONGEST_WAIT_MS, poll_ms * 2 ** (failures - 1)));
    else await orders.pause(Math.max(poll_ms, Math.min((user + system) / 1_000, LONGEST_REST_MS)));
  }
  await connection?.close();
  port.close();
}

/** What the serving thread asks for meanwhile. */
function takeOrders(port: NonNullable<typeof parentPort>) {
  let asked: number[] = [];
  let closing = false;
  let wake = (): void => {};
  port.on('message', (message: ToWorker) => {
    if (message.kind === 'refresh') asked.push(message.id);
    else closing = true;
    wake();
  });
  return {
    isClosing: () => closing,
    take(): number[] {
      const taken = asked;
      asked = [];
      return taken;
    },
    giveBack(ids: number[]): void {
      asked = [...ids, ...asked];
    },
    pause: (ms: number): Promise<void> =>
      new Promise((resolve) => {
        if (closing || asked.length > 0) return resolve();
        const timer = setTimeout(resolve, ms);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
    /** Not cut short by a refresh. */
    async longPause(ms: number): Promise<void> {
      const until = performance.now() + ms;
      while (!closing && performance.now() < until)
        await new Promise((resolve) => setTimeout(resolve, Math.min(STEP_MS, ms)));
    },
  };
}
