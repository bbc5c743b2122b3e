import assert from 'node:assert/strict';
import { test } from 'node:test';
import { awaitNews } from './news.ts';
import { taskSignals } from './signals.ts';

test('one look serves all watchers, and wakes those who have not seen the newest event', async () => {
  const looks: string[][] = [];
  const seqs = new Map([['a', 3]]);
  const newest = async (ids: readonly string[]) => {
    looks.push([...ids].sort());
    return seqs;
  };
  const news = awaitNews({ signals: taskSignals(), newest });
  const left = new AbortController();
  const behind = [...Array(500)].map(() => news('a', 2, 60_000, left.signal));
  const upToDate = [news('a', 3, 60_000, left.signal), news('b', 0, 60_000, left.signal)];
  await Promise.all(behind);
  assert.deepEqual(looks, [['a', 'b']]);
  left.abort();
  await Promise.all(upToDate);
});

test('while the database does not answer there are no news, and then there are', async () => {
  let looks = 0;
  const newest = async () => {
    if (++looks === 1) throw new Error('away');
    return new Map([['a', 1]]);
  };
  await awaitNews({ signals: taskSignals(), newest })('a', 0, 60_000, new AbortController().signal);
  assert.equal(looks, 2);
});
