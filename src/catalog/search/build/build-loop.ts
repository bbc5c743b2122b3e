import { parentPort, workerData } from 'node:worker_threads';
import { type Connection, openConnection } from '#core/db/connection.ts';
import type { DatabaseConfig } from '#core/db/open.ts';

/** The work of a build thread: at each request it reads what changed and posts the new state of its index. */

export interface BuildData {
  database: DatabaseConfig;
  /** The connection is closed after this time without a request, because an idle connection can die unnoticed. */
  idle_ms?: number | undefined;
}
/** A caller waits for an urgent request. */
export type ToThread = { kind: 'refresh'; id: number; is_urgent: boolean } | { kind: 'close' };
export type FromThread<State> =
  | { kind: 'state'; state: State; change: number; build_ms: number }
  | { kind: 'refreshed'; id: number }
  | { kind: 'failed'; message: string };

interface Follower<Live, State> {
  /** `early` receives an index that can be used while the rest is read. */
  start(connection: Connection, early: (live: Live) => void): Promise<Live>;
  /** Null if nothing changed. */
  follow(connection: Connection, before: Live): Promise<Live | null>;
  stateOf(live: Live): State;
  /** The number of the newest change in it. */
  changeOf(live: Live): number;
}

const RETRY_MS = 250;
const LONGEST_RETRY_MS = 30_000;
const IDLE_MS = 60_000;
/** Limits the rest after a base was built, because changes have waited for all of that time. */
const LONGEST_REST_MS = 1_000;
const STEP_MS = 50;

/** Runs until the thread receives `close`. Call it once, in a thread whose data are a `BuildData`. */
export async function followForever<Live, State>(follower: Follower<Live, State>): Promise<void> {
  const { database, idle_ms = IDLE_MS } = workerData as BuildData;
  const port = parentPort as NonNullable<typeof parentPort>;
  const send = (message: FromThread<State>): void => port.postMessage(message);
  const requests = receiveRequests(port);
  let connection: Connection | null = null;
  let live: Live | null = null;
  let failures = 0;
  while (!requests.isClosing()) {
    const answered = requests.take();
    const started = performance.now();
    const worked = process.threadCpuUsage();
    try {
      connection ??= await openConnection(database);
      const post = (newest: Live): void => {
        const [state, change] = [follower.stateOf(newest), follower.changeOf(newest)];
        send({ kind: 'state', state, change, build_ms: performance.now() - started });
      };
      const next: Live | null =
        live === null ? await follower.start(connection, post) : await follower.follow(connection, live);
      if (next !== null) {
        live = next;
        post(next);
      }
      for (const id of answered) send({ kind: 'refreshed', id });
      failures = 0;
    } catch (error) {
      failures++;
      // The connection may have died with its server, so the next attempt opens another.
      await connection?.close().catch(() => {});
      connection = null;
      requests.putBack(answered);
      send({ kind: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
    if (failures > 0) {
      await requests.backOff(Math.min(LONGEST_RETRY_MS, RETRY_MS * 2 ** (failures - 1)));
      continue;
    }
    // Without urgent requests, building takes at most half of a core. Only processor time counts, not time that was waited.
    const { user, system } = process.threadCpuUsage(worked);
    await requests.rest(Math.min((user + system) / 1_000, LONGEST_REST_MS));
    if (await requests.next(idle_ms)) continue;
    await connection?.close().catch(() => {});
    connection = null;
    await requests.next(null);
  }
  await connection?.close();
  port.close();
}

/** Collects requests while the thread builds. */
function receiveRequests(port: NonNullable<typeof parentPort>) {
  let waiting: number[] = [];
  let isUrgent = false;
  let closing = false;
  let wake = (): void => {};
  port.on('message', (message: ToThread) => {
    if (message.kind === 'refresh') {
      waiting.push(message.id);
      isUrgent ||= message.is_urgent;
    } else closing = true;
    wake();
  });
  const until = (isMet: () => boolean, mostMs: number | null): Promise<void> =>
    new Promise((resolve) => {
      if (isMet()) return resolve();
      const timer = mostMs === null ? undefined : setTimeout(resolve, mostMs);
      wake = () => {
        if (!isMet()) return;
        clearTimeout(timer);
        resolve();
      };
    });
  return {
    isClosing: () => closing,
    take(): number[] {
      const taken = waiting;
      waiting = [];
      isUrgent = false;
      return taken;
    },
    putBack(ids: number[]): void {
      waiting = [...ids, ...waiting];
    },
    /** An urgent request ends it. */
    rest: (ms: number): Promise<void> => until(() => closing || isUrgent, ms),
    /** Resolves with true at the next request, or with false after the time. */
    next: async (mostMs: number | null): Promise<boolean> => {
      const isMet = () => closing || waiting.length > 0;
      await until(isMet, mostMs);
      return isMet();
    },
    /** Only closing ends it early. */
    async backOff(ms: number): Promise<void> {
      const endMs = performance.now() + ms;
      while (!closing && performance.now() < endMs)
        await new Promise((resolve) => setTimeout(resolve, Math.min(STEP_MS, ms)));
    },
  };
}
