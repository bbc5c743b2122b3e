import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Handler } from '#core/http/operation.ts';
import { oneDatabase } from '#test/databases.ts';
import { recordAudit } from './audit.ts';
import { exportAudit } from './export.ts';

oneDatabase('GET /api/operator/audit/export', (open) => {
  test('200: JSON lines, oldest first, that continue after a number', async () => {
    const { db } = await open();
    await db.transaction().execute(async (trx) => {
      for (let number = 0; number < 230; number++)
        await recordAudit(
          trx,
          { actor: 'operator-cli', action: 'registry.sync', target: `t${number}`, reason: `Why ${number}.` },
          '2026-03-01T00:00:00.000Z',
        );
    });
    const ask = async (query: object) => {
      const reply = await (exportAudit({ db }) as Handler)({ query: { limit: 100_000, ...query } } as never);
      const text = (await Array.fromAsync(reply.body as AsyncIterable<string>)).join('');
      return text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line));
    };
    const all = await ask({});
    assert.deepEqual(
      all.map(({ seq, reason }) => [seq, reason]),
      Array.from({ length: 230 }, (_, number) => [number + 1, `Why ${number}.`]),
    );
    assert.equal((await ask({ limit: 100 })).at(-1).seq, 100);
    assert.deepEqual(
      (await ask({ after: 229 })).map(({ target }) => target),
      ['t229'],
    );
    assert.deepEqual(await ask({ action: 'users' }), []);
  });
});
