import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Handler } from '#core/http/operation.ts';
import { oneDatabase } from '#test/databases.ts';
import { recordAudit } from './audit.ts';
import { verifyAudit } from './verify.ts';

oneDatabase('GET /api/operator/audit/verification', (open) => {
  test('200: an intact log with its head, and one that was changed since', async () => {
    const { db } = await open();
    const sync = (target: string) =>
      recordAudit(db, { actor: 'operator-cli', action: 'registry.sync', target }, '2026-03-01T00:00:00.000Z');
    for (const target of ['a', 'b', 'c']) await sync(target);
    const ask = async (head?: string) => {
      const reply = await (verifyAudit({ db }) as Handler)({ query: { head } } as never);
      return JSON.parse(reply.body as string);
    };
    const { head, ...verdict } = await ask();
    assert.deepEqual(verdict, { intact: true, entries: 3, unchained: 0, faults: [] });
    assert.match(head, /^3:[0-9a-f]{64}$/);
    await sync('d');
    assert.equal((await ask(head)).intact, true);
    assert.equal((await ask(`3:${'0'.repeat(64)}`)).intact, false);
    await db.updateTable('audit_log').set({ target: 'x' }).where('seq', '=', 2).execute();
    const broken = await ask();
    assert.deepEqual([broken.intact, broken.faults], [false, ['entry 2 was modified']]);
  });
});
