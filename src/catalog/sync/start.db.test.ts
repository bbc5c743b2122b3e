import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newestAudit } from '#core/audit/audit.ts';
import { systemClock } from '#core/clock/clock.ts';
import type { Handler } from '#core/http/operation.ts';
import { Problem } from '#core/problem/problem.ts';
import { oneDatabase } from '#test/databases.ts';
import { startSync } from './start.ts';

oneDatabase('POST /api/operator/providers/{provider}/syncs', (open) => {
  test('202: the sync is due, and the audit log has who ordered it and why; 502: the provider is off', async () => {
    const { db } = await open();
    const ordered: unknown[] = [];
    const sync = { syncNow: async (...order: unknown[]) => void ordered.push(order) };
    const handler = startSync({ db, clock: systemClock, enabled: ['glama'], sync }) as Handler;
    const ask = (provider: string, body: object) =>
      handler({ params: { provider }, body, caller: { user_id: 'olga' } } as never);
    const reply = await ask('glama', { mode: 'full', reason: 'Partial since noon.' });
    assert.equal(reply.status, 202);
    assert.equal(JSON.parse(reply.body as string).status, 'never');
    assert.deepEqual(ordered, [['glama', { full: true, accept_fewer: false }]]);
    const [entry] = await newestAudit(db, {}, { before: undefined, limit: 1 });
    assert.deepEqual([entry?.actor, entry?.target, entry?.reason], ['olga', 'glama', 'Partial since noon.']);
    const off = (error: unknown) => error instanceof Problem && error.reason === 'disabled' && error.status === 502;
    await assert.rejects(async () => ask('smithery', { reason: 'So.' }), off);
    assert.equal(ordered.length, 1);
  });
});
