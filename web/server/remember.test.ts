import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRemember } from './remember.ts';

test('a result is made once for two minutes, and a failure is made again', async () => {
  let ms = 0;
  let made = 0;
  const remember = createRemember(() => ms);
  const next = async () => ++made;
  assert.deepEqual(await Promise.all([remember('a', next), remember('a', next), remember('b', next)]), [1, 1, 2]);
  ms = 119_999;
  assert.equal(await remember('a', next), 1);
  ms = 120_000;
  assert.equal(await remember('a', next), 3);
  const failing = remember('c', () => Promise.reject(new Error('away')));
  await assert.rejects(failing, /away/);
  assert.equal(await remember('c', next), 4);
});

test('the oldest of many results is dropped', async () => {
  const remember = createRemember(() => 0);
  for (let at = 0; at <= 2_000; at++) await remember(`${at}`, async () => at);
  assert.equal(await remember('1', async () => 'again'), 1);
  assert.equal(await remember('0', async () => 'again'), 'again');
});
