import { listen } from '#core/db/listen.ts';
import type { Database, DatabaseConfig } from '#core/db/open.ts';
import type { Log } from '#core/log.ts';
import { ANNOUNCED, CHANNEL } from './notify-trigger.ts';

/**
 * Tells the parts of a process that something changed in the database, whichever process changed it. One look for all of
 * them, four times a second; on PostgreSQL a notification makes it at once, and looks only cover what was lost.
 */

/** The newest number of each kind of change, by its name in `change_counters`. Numbers grow in the order of commits. */
export type ChangeNumbers = ReadonlyMap<string, number>;

/** Keeps its own position, so it misses nothing: it is called at least once for each change, in order. */
export interface ChangeSubscriber {
  /** For the log. */
  name: string;
  /** Whether it has yet to read some of these changes. */
  isBehind(newest: ChangeNumbers): boolean;
  /** Reads on from its position. Called again only when this has settled, and after a rejection with the next look. */
  catchUp(newest: ChangeNumbers): Promise<void>;
}

export interface ChangeFeed {
  /** Nothing is looked for before there is a subscriber. Answers a function that ends the subscription. */
  subscribe(subscriber: ChangeSubscriber): () => void;
  close(): Promise<void>;
}

interface ChangeFeedOptions {
  database: Pick<Database, 'db'>;
  database_config: DatabaseConfig;
  log: Pick<Log, 'warn'>;
  poll_ms?: number;
  /** Between two looks while notifications arrive. */
  cover_ms?: number;
}

/** A search finds within two seconds what any process changed. Looking is the first of the steps to that. */
const POLL_MS = 250;
const COVER_MS = 1_000;
/** Many small transactions are one change. */
const GAP_MS = 50;

export function openChangeFeed(options: ChangeFeedOptions): ChangeFeed {
  const { database, database_config, log, poll_ms = POLL_MS, cover_ms = COVER_MS } = options;
  const subscriptions = new Set<Subscription>();
  let notifications: Notifications | null = null;
  let looking: Promise<void> | null = null;
  let isClosing = false;
  let known: ChangeNumbers = new Map();
  let isFailing = false;

  const look = async (of: Notifications): Promise<void> => {
    // Before the query: what is announced while it runs is looked for again.
    const isAnnounced = of.take();
    try {
      const rows = await database.db.selectFrom('change_counters').selectAll().execute();
      const newest = new Map(rows.map(({ name, value }) => [name, value]));
      if (!isAnnounced && hasGrown(known, newest)) of.doubt();
      known = newest;
      for (const subscription of subscriptions) subscription.tell(newest);
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.warn({ error }, 'failed to poll changes in the database; retrying');
      isFailing = true;
    }
  };
  const lookForever = async (of: Notifications): Promise<void> => {
    while (!isClosing) {
      await look(of);
      await of.next(of.areHeard() ? cover_ms : poll_ms, Math.min(GAP_MS, poll_ms));
    }
  };
  return {
    subscribe(subscriber) {
      const subscription = subscriptionOf(subscriber, log);
      subscriptions.add(subscription);
      notifications ??= notificationsOf(database_config);
      looking ??= lookForever(notifications);
      return () => void subscriptions.delete(subscription);
    },
    async close() {
      isClosing = true;
      await notifications?.close();
      await looking;
    },
  };
}

interface Subscription {
  tell(newest: ChangeNumbers): void;
}

function subscriptionOf({ name, isBehind, catchUp }: ChangeSubscriber, log: ChangeFeedOptions['log']): Subscription {
  let newest: ChangeNumbers = new Map();
  let isAtWork = false;
  let isFailing = false;
  const work = async (): Promise<void> => {
    isAtWork = true;
    try {
      // What came meanwhile does not wait for the next look.
      for (let told: ChangeNumbers | null = null; told !== newest && isBehind(newest); ) {
        told = newest;
        await catchUp(told);
      }
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.warn({ error }, `${name} cannot follow the changes in the database; retrying`);
      isFailing = true;
    } finally {
      isAtWork = false;
    }
  };
  return {
    tell: (numbers) => {
      newest = numbers;
      if (!isAtWork) void work();
    },
  };
}

const hasGrown = (before: ChangeNumbers, newest: ChangeNumbers): boolean =>
  before.size > 0 && ANNOUNCED.some((name) => before.get(name) !== newest.get(name));

interface Notifications {
  /** Whether there was one since the last call. */
  take(): boolean;
  /** Resolves with the next one, also one that nobody has taken yet, but not before `least_ms`; or after `most_ms`. */
  next(mostMs: number, leastMs: number): Promise<void>;
  /** A change was not announced: the connection may be dead, or a proxy may take LISTEN and pass nothing on. */
  doubt(): void;
  /** Whether they can be relied on: from the first one on, until one is missing. */
  areHeard(): boolean;
  close(): Promise<void>;
}

/** There are none on SQLite. */
function notificationsOf(config: DatabaseConfig): Notifications {
  let isAnnounced = false;
  let isHeard = false;
  let isClosing = false;
  let wake = (): void => {};
  const doubt = (): void => {
    isHeard = false;
  };
  const heard = (): void => {
    isAnnounced = true;
    isHeard = true;
    wake();
  };
  /** Something may have been announced just then. */
  const lost = (): void => {
    heard();
    doubt();
  };
  const listener = config.engine === 'postgres' ? listen(config.url, CHANNEL, { heard, lost }) : null;
  const pause = (ms: number, mayEnd: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      if (mayEnd()) return resolve();
      // A process may end while it waits.
      const timer = setTimeout(resolve, ms).unref();
      wake = () => {
        if (!mayEnd()) return;
        clearTimeout(timer);
        resolve();
      };
    });
  return {
    take: () => {
      const taken = isAnnounced;
      isAnnounced = false;
      return taken;
    },
    next: async (mostMs, leastMs) => {
      await pause(leastMs, () => isClosing);
      await pause(mostMs - leastMs, () => isClosing || isAnnounced);
    },
    doubt,
    areHeard: () => isHeard,
    close: async () => {
      isClosing = true;
      wake();
      await listener?.close();
    },
  };
}
