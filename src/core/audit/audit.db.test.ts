import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { type AuditFilter, listAudit, recordAudit } from './audit.ts';

eachDatabase('the audit log', (open) => {
  test('listAudit() returns entries oldest first across pages, filtered by user and time', async () => {
    const { db } = await open();
    const at = (minute: number) => new Date(Date.UTC(2026, 2, 1, 0, minute)).toISOString();
    await db.transaction().execute(async (trx) => {
      for (let minute = 0; minute < 510; minute++) {
        const [actor, target] = minute % 2 === 0 ? ['a', 'b'] : ['operator-cli', `u${minute}`];
        await recordAudit(trx, { actor, action: 'users.set_tier', target, detail: { minute } }, at(minute >> 1));
      }
    });
    const all = await Array.fromAsync(listAudit(db));
    assert.deepEqual(
      all.map((auditEntry) => auditEntry.at),
      all.map((auditEntry) => auditEntry.at).sort(),
    );
    // Entries with the same time can come in either order.
    const read = async (filter: AuditFilter) =>
      (await Array.fromAsync(listAudit(db, filter)))
        .map((auditEntry) => Number(auditEntry.detail.minute))
        .sort((a, b) => a - b);
    assert.deepEqual(
      await read({}),
      Array.from({ length: 510 }, (_, minute) => minute),
    );
    assert.equal((await read({ user_id: 'a' })).length, 255);
    assert.equal((await read({ user_id: 'b' })).length, 255);
    assert.deepEqual(await read({ user_id: 'u7' }), [7]);
    assert.deepEqual(await read({ since: at(254) }), [508, 509]);
    assert.deepEqual(await read({ since: at(254), user_id: 'a' }), [508]);
  });
});
