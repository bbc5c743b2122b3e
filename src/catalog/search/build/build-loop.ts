import { parentPort, workerData } from 'node:worker_threads';
import { type Connection, openConnection } from '#core/db/connection.ts';
import type { DatabaseConfig } from '#core/db/open.ts';

/** What a building thread does: when the serving thread says so, it reads what changed and posts the new state of an index. */

export interface FollowOptions {
  database: DatabaseConfig;
  /** After so long without anything to do the connection is closed: nothing would tell that it has died. */
  idle_ms?: number | undefined;
}
/** `is_urgent`: somebody waits for it. */
export type ToWorker = { kind: 'refresh'; id: number; is_urgent: boolean } | { kind: 'close' };
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

const RETRY_MS = 250;
const LONGEST_WAIT_MS = 30_000;
const IDLE_MS = 60_000;
/** After a base was built: what changed meanwhile has waited for all of that. */
const LONGEST_REST_MS = 1_000;
const STEP_MS = 50;

/** Until it is told to close. To be called once, in a thread whose data are `FollowOptions` or more. */
export async function followForever<Following, State>(follower: Follower<Following, State>): Promise<void> {
  const { database, idle_ms = IDLE_MS } = workerData as FollowOptions;
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
    if (failures > 0) {
      await orders.longPause(Math.min(LONGEST_WAIT_MS, RETRY_MS * 2 ** (failures - 1)));
      continue;
    }
    await orders.rest(Math.min((user + system) / 1_000, LONGEST_REST_MS));
    if (await orders.come(idle_ms)) continue;
    await connection?.close().catch(() => {});
    connection = null;
    await orders.come(null);
  }
  await connection?.close();
  port.close();
}

/** What the serving thread asks for meanwhile. */
function takeOrders(port: NonNullable<typeof parentPort>) {
  let asked: number[] = [];
  let is_urgent = false;
  let closing = false;
  let wake = (): void => {};
  port.on('message', (message: ToWorker) => {
    if (message.kind === 'refresh') {
      asked.push(message.id);
      is_urgent ||= message.is_urgent;
    } else closing = true;
    wake();
  });
  const until = (isThere: () => boolean, most_ms: number | null): Promise<void> =>
    new Promise((resolve) => {
      if (isThere()) return resolve();
      const timer = most_ms === null ? undefined : setTimeout(resolve, most_ms);
      wake = () => {
        if (!isThere()) return;
        clearTimeout(timer);
        resolve();
      };
    });
  return {
    isClosing: () => closing,
    take(): number[] {
      const taken = asked;
      asked = [];
      is_urgent = false;
      return taken;
    },
    giveBack(ids: number[]): void {
      asked = [...ids, ...asked];
    },
    /** Cut short by what is urgent. */
    rest: (ms: number): Promise<void> => until(() => closing || is_urgent, ms),
    /** Resolves with the next order, or with false when the time has passed without one. */
    come: async (most_ms: number | null): Promise<boolean> => {
      const isThere = () => closing || asked.length > 0;
      await until(isThere, most_ms);
      return isThere();
    },
    /** Cut short by nothing but the end. */
    async longPause(ms: number): Promise<void> {
      const until = performance.now() + ms;
      while (!closing && performance.now() < until)
        await new Promise((resolve) => setTimeout(resolve, Math.min(STEP_MS, ms)));
    },
  };
}
