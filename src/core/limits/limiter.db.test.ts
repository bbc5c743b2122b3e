import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '#core/problem/problem.ts';
import { eachDatabase } from '#test/databases.ts';
import { createLimiter } from './limiter.ts';

const MINUTE = 60_000;
const T = Date.parse('2026-11-20T12:00:00.000Z');
const LIMITS = [
  { name: 'email', count: 2, window_ms: MINUTE },
  { name: 'wallet', count: 1_000, window_ms: MINUTE },
];

eachDatabase('the limiter', (open) => {
  test('responses name the remaining requests, then 429 names the time to wait', async () => {
    const clock = { now: () => T + 15_000 };
    const refused: string[] = [];
    const onRefused = (limit: string) => void refused.push(limit);
    const limiter = createLimiter({ database: await open(), clock, limits: LIMITS, onRefused });
    assert.deepEqual(await limiter.take('email', '192.0.2.7'), {
      'ratelimit-policy': '"email";q=2;w=60',
      ratelimit: '"email";r=1;t=45',
    });
    assert.match((await limiter.take('email', '192.0.2.7')).ratelimit ?? '', /^"email";r=0;t=46$/);
    await assert.rejects(limiter.take('email', '192.0.2.7'), (error) => {
      assert.ok(error instanceof Problem);
      assert.deepEqual([error.status, error.code, error.reason], [429, 'http.limit_exceeded', 'rate']);
      assert.equal(error.headers['retry-after'], '46');
      assert.equal(error.headers.ratelimit, '"email";r=0;t=46');
      return true;
    });
    await limiter.take('email', '192.0.2.8');
    await limiter.take('wallet', '192.0.2.7');
    assert.deepEqual(refused, ['email']);
  });

  test('clients of one IPv6 /64 network share a limit', async () => {
    const limiter = createLimiter({ database: await open(), clock: { now: () => T }, limits: LIMITS });
    await limiter.take('email', '2001:db8::1');
    await limiter.take('email', '2001:db8::2');
    await assert.rejects(limiter.take('email', '2001:db8::3'), { code: 'http.limit_exceeded', reason: 'rate' });
    await limiter.take('email', '2001:db8:0:1::3');
  });

  test('expired rate windows are deleted', async () => {
    const database = await open();
    let now = T;
    const limiter = createLimiter({ database, clock: { now: () => now }, limits: LIMITS });
    for (let n = 0; n < 64; n++) await limiter.take('email', `192.0.2.${n}`);
    now += 3 * MINUTE;
    for (let n = 0; n < 64; n++) await limiter.take('wallet', '192.0.2.1');
    const rows = await database.db.selectFrom('rate_windows').select('used').execute();
    assert.deepEqual(rows, [{ used: 64 }]);
  });

  test('has() reports whether a limit exists', async () => {
    const limiter = createLimiter({ database: await open(), clock: { now: () => T }, limits: LIMITS });
    assert.deepEqual([limiter.has('email'), limiter.has('e-mail')], [true, false]);
  });
});
