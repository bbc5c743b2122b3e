import assert from 'node:assert/strict';
import { test } from 'node:test';
import { taskChannel } from './pub-sub.ts';

const LONG_MS = 60_000;

test('one query for all waiting tasks finds new events of other processes and wakes their readers', async () => {
  const queries: string[][] = [];
  const newest = async (ids: readonly string[]) => {
    queries.push([...ids].sort());
    return new Map([['a', 3]]);
  };
  const channel = taskChannel({ newest });
  const ended = new AbortController();
  const behind = Array.from({ length: 500 }, () => channel.nextEvent('a', 2, LONG_MS, ended.signal));
  const upToDate = [channel.nextEvent('a', 3, LONG_MS, ended.signal), channel.nextEvent('b', 0, LONG_MS, ended.signal)];
  await Promise.all(behind);
  assert.deepEqual(queries, [['a', 'b']]);
  ended.abort();
  await Promise.all(upToDate);
});

test('retries after a failed query', async () => {
  let queries = 0;
  const newest = async () => {
    if (++queries === 1) throw new Error('unavailable');
    return new Map([['a', 1]]);
  };
  await taskChannel({ newest }).nextEvent('a', 0, LONG_MS, new AbortController().signal);
  assert.equal(queries, 2);
});

test('publish() wakes only the waiters of that task', async () => {
  const channel = taskChannel({ newest: async () => new Map() });
  const ended = new AbortController();
  let isWoken = false;
  const other = channel.next('b', LONG_MS, ended.signal).then(() => {
    isWoken = true;
  });
  const waiting = [channel.next('a', LONG_MS, ended.signal), channel.nextEvent('a', 0, LONG_MS, ended.signal)];
  channel.publish('a');
  await Promise.all(waiting);
  assert.equal(isWoken, false);
  ended.abort();
  await other;
});
