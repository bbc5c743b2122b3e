import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { type Database, openDatabase } from '#core/db/open.ts';
import { eachDatabase, type TestDatabase } from '#test/databases.ts';
import { until } from '#test/until.ts';
import { type ChangeNumbers, type ChangeSubscriber, openChangeFeed } from './change-feed.ts';
import { isNotifyTriggerInstalled } from './notify-trigger.ts';

/** A feed and what it warned of. */
function feedOn(database: TestDatabase, options: { poll_ms?: number; cover_ms?: number; db?: Database['db'] } = {}) {
  const warnings: string[] = [];
  const log = { warn: (_: unknown, text: string) => void warnings.push(text) };
  const { db = database.db, ...times } = options;
  const feed = openChangeFeed({ database: { db }, database_config: database.config, log: log as never, ...times });
  return { ...feed, warnings, [Symbol.asyncDispose]: feed.close };
}

const change = (db: Database['db'], name = 'listings') =>
  db.updateTable('change_counters').set({ value: sql<number>`value + 1` }).where('name', '=', name).execute();

/** Calls `asked` before each look. */
const watched = (db: Database['db'], asked: () => void): Database['db'] =>
  new Proxy(db, {
    get: (target, name) => {
      if (name === 'selectFrom') asked();
      const member = Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });

/** Notes each number that it has caught up with. */
function reader(seen: number[], act = async (_: number): Promise<void> => {}, of = 'listings'): ChangeSubscriber {
  const newestOf = (newest: ChangeNumbers) => newest.get(of) ?? 0;
  return {
    name: 'a reader',
    isBehind: (newest) => newestOf(newest) > (seen.at(-1) ?? 0),
    catchUp: async (newest) => {
      await act(newestOf(newest));
      seen.push(newestOf(newest));
    },
  };
}

/** Longer than any test takes. */
const NEVER_MS = 600_000;

eachDatabase('the change feed', (open, engine) => {
  test('each subscriber sees the changes of another process in order, from its own position on', async () => {
    const database = await open('own');
    const elsewhere = await openDatabase(database.config);
    await using feed = feedOn(database, { poll_ms: 5 });
    const [one, other]: number[][] = [[], []];
    feed.subscribe(reader(one as number[]));
    await change(elsewhere.db);
    await until('the first change', () => one?.at(-1) === 1);
    feed.subscribe(reader(other as number[]));
    await until('a late subscriber', () => other?.at(-1) === 1);
    for (let n = 0; n < 5; n++) await change(elsewhere.db);
    await until('the last change', () => one?.at(-1) === 6 && other?.at(-1) === 6);
    assert.deepEqual(
      one,
      one?.toSorted((a, b) => a - b),
    );
    await change(elsewhere.db, 'harnesses');
    await change(elsewhere.db);
    await until('a change of its own', () => one?.at(-1) === 7);
    await elsewhere.close();
  });

  test('a subscriber that fails is called again, without delaying other subscribers', async () => {
    const database = await open();
    await using feed = feedOn(database, { poll_ms: 5 });
    let calls = 0;
    const seen: number[] = [];
    const fails = reader(seen, async () => {
      if (++calls < 4) throw new Error('not now');
    });
    const others: number[] = [];
    feed.subscribe(fails);
    feed.subscribe(reader(others));
    await change(database.db);
    await until('a success', () => seen.length === 1);
    assert.deepEqual([calls, others], [4, [1]]);
    assert.deepEqual(feed.warnings, ['a reader cannot follow the changes in the database; retrying']);
  });

  test('a subscriber is not called again until its previous call has ended, however often the feed polls', async () => {
    const database = await open();
    let looks = 0;
    await using feed = feedOn(database, { poll_ms: 1, cover_ms: 1, db: watched(database.db, () => void looks++) });
    let calls = 0;
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const seen: number[] = [];
    const slow = reader(seen, async () => {
      calls++;
      await ended;
    });
    feed.subscribe(slow);
    await change(database.db);
    await until('a call', () => calls > 0);
    looks = 0;
    await until('many looks', () => looks > 20);
    assert.equal(calls, 1);
    end();
    await until('its end', () => seen.length === 1);
  });

  test('an unsubscribed reader is not called, and the feed resumes after the database was unavailable', async () => {
    const database = await open();
    let isAway = true;
    const db = watched(database.db, () => {
      if (isAway) throw new Error('away');
    });
    await using feed = feedOn(database, { poll_ms: 5, db });
    const [seen, ended]: number[][] = [[], []];
    feed.subscribe(reader(ended as number[]))();
    feed.subscribe(reader(seen as number[]));
    await change(database.db);
    await until('a warning', () => feed.warnings.length > 0);
    isAway = false;
    await until('the change', () => seen?.length === 1);
    assert.deepEqual([ended, feed.warnings.length], [[], 1]);
  });

  if (engine === 'sqlite') return;

  test('a PostgreSQL notification calls the subscriber immediately, without waiting for the next poll', async () => {
    const database = await open();
    await using feed = feedOn(database, { poll_ms: NEVER_MS, cover_ms: NEVER_MS });
    const seen: number[] = [];
    feed.subscribe(reader(seen));
    await until('a listener', async () => (await listenersOn(database)).length === 1);
    for (const value of [1, 2]) {
      await change(database.db);
      await until(`change ${value}`, () => seen.at(-1) === value);
    }
    for (const name of ['listings', 'capabilities', 'published']) {
      const heard: number[] = [];
      feed.subscribe(reader(heard, async () => {}, name));
      await change(database.db, name);
      await until(`a change of ${name}`, () => heard.length > 0);
    }
    const elsewhere = await openDatabase(database.config);
    await elsewhere.db.transaction().execute((trx) => change(trx));
    await until('of another process', () => seen.at(-1) === 4);
    await elsewhere.close();
  });

  test('a change announced while a subscriber is reading calls it again without waiting for the next poll', async () => {
    const database = await open();
    const [told, others]: number[][] = [[], []];
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    await using feed = feedOn(database, { poll_ms: NEVER_MS, cover_ms: NEVER_MS });
    const slow = reader(told as number[], async () => {
      begin();
      await ended;
    });
    feed.subscribe(slow);
    feed.subscribe(reader(others as number[]));
    await until('a listener', async () => (await listenersOn(database)).length === 1);
    await change(database.db);
    await begun;
    await change(database.db);
    await until('a look that saw the second', () => others?.at(-1) === 2);
    end();
    await until('the second', () => told?.at(-1) === 2);
    assert.deepEqual(told, [1, 2]);
  });

  test('the feed reconnects its lost LISTEN connection and finds missed changes by polling', async () => {
    const database = await open();
    await using feed = feedOn(database, { poll_ms: 20, cover_ms: NEVER_MS });
    const seen: number[] = [];
    feed.subscribe(reader(seen));
    await until('a listener', async () => (await listenersOn(database)).length === 1);
    await change(database.db);
    await until('the first change', () => seen.at(-1) === 1);
    const [first] = await listenersOn(database);
    await sql`SELECT pg_terminate_backend(${first})`.execute(database.db);
    await until('no listener', async () => !(await listenersOn(database)).includes(first as number));
    await change(database.db);
    await until('what was missed', () => seen.at(-1) === 2);
    await until('another listener', async () => (await listenersOn(database)).length === 1);
  });

  test('after a change without notification, the feed polls as often as without notifications', async () => {
    const database = await open();
    let looks = 0;
    const db = watched(database.db, () => void looks++);
    await using feed = feedOn(database, { poll_ms: 5, cover_ms: 4_000, db });
    const seen: number[] = [];
    feed.subscribe(reader(seen));
    await until('a listener', async () => (await listenersOn(database)).length === 1);
    await change(database.db);
    await until('one that is announced', () => seen.at(-1) === 1);
    await sql`ALTER TABLE change_counters DISABLE TRIGGER change_counters_notify`.execute(database.db);
    await change(database.db);
    await until('one that is not', () => seen.at(-1) === 2);
    looks = 0;
    await until('ten looks, which would otherwise take 40 s', () => looks >= 10);
  });

  test('the schema includes the notification trigger', async () => {
    assert.equal(await isNotifyTriggerInstalled(await open()), true);
  });
});

/** Process ids of the connections that listen. */
async function listenersOn({ db }: TestDatabase): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND query LIKE 'LISTEN %'`.execute(db);
  return rows.map(({ pid }) => pid);
}
