import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { createUser, type User } from '#accounts/users/users.ts';
import { Problem } from '#core/problem/problem.ts';
import { eachDatabase, type TestDatabase } from '#test/databases.ts';
import { dayOf, giveBack, quotaHeaders, readQuota, takeRequest } from './quota.ts';

const NOON = Date.parse('2026-11-20T12:00:00.000Z');
const MIDNIGHT = '2026-11-21T00:00:00.000Z';

const holder = (user: User, tier = 'free') => ({ user_id: user.id, tier });
const newUser = ({ db }: TestDatabase) => createUser(db, 'Ada', '2026-11-20T00:00:00.000Z');

async function refusal(taking: Promise<unknown>): Promise<Problem> {
  const error = await taking.then(
    () => assert.fail('nothing was refused'),
    (error: unknown) => error,
  );
  assert.ok(error instanceof Problem);
  return error;
}

/** Child processes that all start at the same signal. */
async function race(database: TestDatabase, user: User, processes: number, takes: number) {
  const order = { database: database.config, user_id: user.id, takes, now_ms: NOON };
  const child = new URL('../../../test/quota-child.ts', import.meta.url).pathname;
  const children = Array.from({ length: processes }, () => fork(child, [JSON.stringify(order)], { execArgv: [] }));
  const said = (child: ChildProcess) => once(child, 'message', { signal: AbortSignal.timeout(30_000) });
  try {
    await Promise.all(children.map(said));
    const outcomes = children.map(said);
    for (const child of children) child.send('go');
    return (await Promise.all(outcomes)).map(([first]) => first as { taken: number; refused: number });
  } finally {
    for (const child of children) child.kill();
  }
}

const sum = (numbers: number[]): number => numbers.reduce((all, count) => all + count, 0);

eachDatabase('the quota', (open, engine) => {
  test('counts requests up to the limit, then 429 until the next day', async () => {
    const database = await open('own');
    const { db } = database;
    const user = await newUser(database);
    assert.deepEqual(await readQuota(db, holder(user), NOON), { limit: 100, used: 0, resets_at: MIDNIGHT });
    assert.deepEqual(await takeRequest(db, holder(user), NOON), { limit: 100, used: 1, resets_at: MIDNIGHT });
    await db.updateTable('quota_days').set({ used: 99 }).execute();
    const counted: string[] = [];
    const count = (event: string) => void counted.push(event);
    const last = await takeRequest(db, holder(user), NOON, count);
    assert.deepEqual(quotaHeaders(last, NOON), {
      'ratelimit-policy': '"llm-requests";q=100;w=86400',
      ratelimit: '"llm-requests";r=0;t=43200',
    });
    const { status, code, headers } = await refusal(takeRequest(db, holder(user), NOON, count));
    await giveBack(db, user.id, dayOf(NOON), count);
    assert.deepEqual(counted, ['taken', 'refused', 'given_back']);
    assert.deepEqual([status, code], [429, 'users.quota_exceeded']);
    assert.deepEqual(headers, { ...quotaHeaders(last, NOON), 'retry-after': '43200' });
    assert.equal((await takeRequest(db, holder(user), Date.parse(MIDNIGHT))).used, 1);
  });

  test("the current tier's limit applies to the requests of the day", async () => {
    const database = await open('own');
    const { db } = database;
    const user = await newUser(database);
    await db.insertInto('quota_days').values({ user_id: user.id, day: '2026-11-20', used: 499 }).execute();
    assert.equal((await takeRequest(db, holder(user, 'casual'), NOON)).used, 500);
    const unlimited = await takeRequest(db, holder(user, 'pro'), NOON);
    assert.deepEqual([unlimited.limit, unlimited.used, quotaHeaders(unlimited, NOON)], [null, 501, {}]);
    assert.equal((await takeRequest(db, holder(user, 'dev'), NOON)).used, 502);
    assert.equal((await refusal(takeRequest(db, holder(user), NOON))).status, 429);
    assert.equal((await refusal(takeRequest(db, holder(user, 'no tier'), NOON))).status, 429);
  });

  test('a request that was never started is refunded, but never below zero', async () => {
    const database = await open('own');
    const { db } = database;
    const user = await newUser(database);
    await takeRequest(db, holder(user), NOON);
    await giveBack(db, user.id, dayOf(NOON));
    await giveBack(db, user.id, dayOf(NOON));
    assert.equal((await readQuota(db, holder(user), NOON)).used, 0);
  });

  test('counting a request deletes the counts of old days', async () => {
    const database = await open('own');
    const { db } = database;
    const user = await newUser(database);
    for (const day of ['2026-10-01', '2026-11-19'])
      await db.insertInto('quota_days').values({ user_id: user.id, day, used: 3 }).execute();
    await takeRequest(db, holder(user), NOON);
    const days = await db.selectFrom('quota_days').select('day').orderBy('day').execute();
    assert.deepEqual(
      days.map((day) => day.day),
      ['2026-11-19', '2026-11-20'],
    );
  });

  test('of 500 concurrent requests over several processes, exactly 100 are accepted', async () => {
    const database = await open('own');
    const user = await newUser(database);
    const processes = engine === 'postgres' ? 4 : 2;
    const outcomes = await race(database, user, processes, 500 / processes);
    assert.equal(sum(outcomes.map((outcome) => outcome.taken)), 100);
    assert.equal(sum(outcomes.map((outcome) => outcome.refused)), 400);
    assert.equal((await readQuota(database.db, holder(user), NOON)).used, 100);
  });
});
