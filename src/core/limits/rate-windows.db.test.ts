import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDatabase } from '#core/db/open.ts';
import { newId } from '#core/ids.ts';
import { eachDatabase, type TestDatabase } from '#test/databases.ts';
import { giveBackTo, type Limit, peek, takeFrom } from './rate-windows.ts';

const TEN_AN_HOUR: Limit = { name: 'tries', count: 10, window_ms: 3_600_000 };
/** Start of a window. */
const T = Date.parse('2026-11-20T12:00:00.000Z');
const MINUTE = 60_000;

eachDatabase('rate windows', (open) => {
  let opened: Promise<TestDatabase> | undefined;
  /** Each test uses its own bucket in it. */
  const shared = (): Promise<TestDatabase> => (opened ??= open('own'));

  test('requests are counted up to the limit per bucket, and refused ones are not counted', async () => {
    const { db } = await shared();
    const ada = newId();
    for (let n = 1; n <= 10; n++) {
      const { is_free, used } = await takeFrom(db, TEN_AN_HOUR, ada, T + n);
      assert.deepEqual([is_free, used], [true, n]);
    }
    for (let n = 0; n < 3; n++) {
      const { is_free, used } = await takeFrom(db, TEN_AN_HOUR, ada, T + 20);
      assert.deepEqual([is_free, used], [false, 10]);
    }
    assert.equal((await takeFrom(db, TEN_AN_HOUR, newId(), T)).is_free, true);
    assert.equal((await takeFrom(db, { ...TEN_AN_HOUR, name: 'others' }, ada, T)).is_free, true);
  });

  test('several requests are taken at once or not at all', async () => {
    const { db } = await shared();
    const ada = newId();
    assert.equal((await takeFrom(db, TEN_AN_HOUR, ada, T, 8)).is_free, true);
    const over = await takeFrom(db, TEN_AN_HOUR, ada, T, 3);
    assert.deepEqual([over.is_free, over.used], [false, 8]);
    assert.equal((await takeFrom(db, TEN_AN_HOUR, ada, T, 2)).is_free, true);
  });

  test("a window's requests still count early in the next one, and the reported wait is exact", async () => {
    const { db } = await shared();
    const ada = newId();
    for (let n = 0; n < 10; n++) await takeFrom(db, TEN_AN_HOUR, ada, T + 59 * MINUTE);
    const after = T + 61 * MINUTE;
    // 59 of 60 minutes of the previous hour still count.
    assert.equal((await takeFrom(db, TEN_AN_HOUR, ada, after)).is_free, true);
    const { is_free, wait_ms } = await takeFrom(db, TEN_AN_HOUR, ada, after);
    assert.equal(is_free, false);
    assert.ok(wait_ms > 4 * MINUTE && wait_ms < 6 * MINUTE, `${wait_ms}`);
    assert.equal((await peek(db, TEN_AN_HOUR, ada, after + wait_ms - 10_000)).is_free, false);
    assert.equal((await takeFrom(db, TEN_AN_HOUR, ada, after + wait_ms)).is_free, true);
  });

  test('a full window reports when the next request is possible', async () => {
    const { db } = await shared();
    const ada = newId();
    let level = await peek(db, TEN_AN_HOUR, ada, T + MINUTE);
    assert.deepEqual([level.is_free, level.used], [true, 0]);
    for (let n = 0; n < 10; n++) level = await takeFrom(db, TEN_AN_HOUR, ada, T + MINUTE);
    const refused = await takeFrom(db, TEN_AN_HOUR, ada, T + MINUTE);
    assert.equal(refused.wait_ms, level.wait_ms);
    assert.equal((await peek(db, TEN_AN_HOUR, ada, T + MINUTE + refused.wait_ms - 5_000)).is_free, false);
    assert.equal((await takeFrom(db, TEN_AN_HOUR, ada, T + MINUTE + refused.wait_ms)).is_free, true);
    assert.equal((await peek(db, TEN_AN_HOUR, ada, T + 121 * MINUTE)).used, 1);
    assert.equal((await peek(db, TEN_AN_HOUR, ada, T + 180 * MINUTE)).used, 0);
  });

  test('a released request can be taken again', async () => {
    const { db } = await shared();
    const ada = newId();
    for (let n = 0; n < 10; n++) await takeFrom(db, TEN_AN_HOUR, ada, T);
    await giveBackTo(db, TEN_AN_HOUR, ada, T);
    assert.equal((await takeFrom(db, TEN_AN_HOUR, ada, T)).is_free, true);
    assert.equal((await takeFrom(db, TEN_AN_HOUR, ada, T)).is_free, false);
  });

  test('60 concurrent requests over three connections get exactly the limit of ten', async () => {
    const database = await shared();
    const ada = newId();
    const others = await Promise.all([openDatabase(database.config), openDatabase(database.config)]);
    const takes = [database, ...others].flatMap(({ db }) =>
      Array.from({ length: 20 }, () => takeFrom(db, TEN_AN_HOUR, ada, T)),
    );
    const levels = await Promise.all(takes);
    await Promise.all(others.map((other) => other.close()));
    assert.equal(levels.filter((level) => level.is_free).length, 10);
  });
});
