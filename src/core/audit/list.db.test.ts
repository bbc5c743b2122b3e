import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Handler } from '#core/http/operation.ts';
import { Problem } from '#core/problem/problem.ts';
import { oneDatabase } from '#test/databases.ts';
import { forgetReasonsAbout, recordAudit } from './audit.ts';
import { listAuditEntries } from './list.ts';

oneDatabase('GET /api/operator/audit', (open) => {
  test('200: newest first, page by page, filtered, with reasons; 400: an action that does not exist', async () => {
    const { db } = await open();
    const at = (minute: number) => new Date(Date.UTC(2026, 2, 1, 0, minute)).toISOString();
    for (let minute = 0; minute < 5; minute++) {
      const action = minute % 2 === 0 ? 'users.set_tier' : 'registry.sync';
      const reason = minute === 3 ? 'It was partial.' : undefined;
      await recordAudit(db, { actor: 'olga', action, target: `t${minute}`, reason }, at(minute));
    }
    const ask = async (query: object) => {
      const reply = await (listAuditEntries({ db }) as Handler)({ query: { limit: 50, ...query } } as never);
      return JSON.parse(reply.body as string);
    };
    const targets = async (query: object) =>
      (await ask(query)).items.map(({ target, reason }: { target: string; reason: string | null }) =>
        reason === null ? target : `${target}: ${reason}`,
      );
    const first = await ask({ limit: 2 });
    assert.deepEqual([first.items.length, first.next_before], [2, 4]);
    assert.deepEqual(await targets({ limit: 2, before: 4 }), ['t2', 't1']);
    assert.equal((await ask({ limit: 1, before: 2 })).next_before, null);
    assert.deepEqual(await targets({ action: 'registry' }), ['t3: It was partial.', 't1']);
    assert.deepEqual(await targets({ action: 'users.set_tier', since: at(2), until: at(4) }), ['t2']);
    // Times with an offset are the same times.
    assert.deepEqual(await targets({ since: '2026-03-01T02:04:00+02:00' }), ['t4']);
    assert.deepEqual(await targets({ user_id: 't1' }), ['t1']);
    assert.deepEqual(await targets({ actor: 'bob' }), []);
    const unknown = (error: unknown) =>
      error instanceof Problem && error.status === 400 && error.errors?.[0]?.pointer === '/action';
    for (const action of ['registry.', 'fly', '%']) await assert.rejects(async () => ask({ action }), unknown);

    await forgetReasonsAbout(db, 't3');
    assert.deepEqual(await targets({ action: 'registry' }), ['t3', 't1']);
  });
});
