import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import { firstThread } from '#core/threads/first.ts';
import { furtherThread } from '#core/threads/further.ts';
import { eachDatabase } from '#test/databases.ts';
import { createLimiter } from './limiter.ts';

const T = Date.parse('2026-11-20T12:00:00.000Z');
const LIMITS = [{ name: 'mcp', count: 100, window_ms: 60_000 }];

eachDatabase('a limit that is counted in advance', (open) => {
  test('is exact over two processes, which each reserve a twentieth of it at a time', async () => {
    const database = await open();
    const clock = { now: () => T + 1_000 };
    const processes = [0, 1].map(() => createLimiter({ database, clock, limits: LIMITS, ahead: ['mcp'] }));
    const takes = Array.from({ length: 130 }, (_, n) => processes[n % 2]?.take('mcp', '192.0.2.7'));
    const answers = await Promise.allSettled(takes);
    assert.equal(answers.filter((answer) => answer.status === 'fulfilled').length, 100);
    assert.ok(answers.every((answer) => answer.status === 'fulfilled' || answer.reason.code === 'http.limit_exceeded'));
    await processes[0]?.take('mcp', '192.0.2.8');
    const rows = await database.db.selectFrom('rate_windows').select(['bucket', 'used']).orderBy('used').execute();
    assert.deepEqual(
      rows.map((row) => row.used),
      [5, 100],
    );
  });

  test('is shared by all threads of a process', async () => {
    const database = await open();
    const clock = { now: () => T + 1_000 };
    const { port1, port2 } = new MessageChannel();
    const first = firstThread(2);
    const line = first.admit(2, port1);
    const each = [first, furtherThread({ count: 2, number: 2, port: port2 })];
    const [one, other] = each.map((threads) =>
      createLimiter({ database, clock, limits: LIMITS, ahead: ['mcp'], threads }),
    );
    await one?.take('mcp', '192.0.2.7');
    const answers = await Promise.allSettled(Array.from({ length: 120 }, () => other?.take('mcp', '192.0.2.7')));
    assert.equal(answers.filter((answer) => answer.status === 'fulfilled').length, 99);
    assert.ok(answers.every((answer) => answer.status === 'fulfilled' || answer.reason.code === 'http.limit_exceeded'));
    line.close();
  });

  test('reports the remaining requests as if counted one by one, and resets with the window', async () => {
    let now = T;
    const limiter = createLimiter({
      database: await open(),
      clock: { now: () => now },
      limits: LIMITS,
      ahead: ['mcp'],
    });
    const left: string[] = [];
    for (let n = 0; n < 6; n++) left.push((await limiter.take('mcp', '192.0.2.9')).ratelimit?.split(';')[1] ?? '');
    assert.deepEqual(left, ['r=99', 'r=98', 'r=97', 'r=96', 'r=95', 'r=94']);
    now += 150_000;
    assert.match((await limiter.take('mcp', '192.0.2.9')).ratelimit ?? '', /r=99/);
  });
});
