import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newestAudit } from '#core/audit/audit.ts';
import { oneDatabase } from '#test/databases.ts';
import { usersStand } from '#test/users-stand.ts';
import { changeUser } from './users.ts';

oneDatabase('PUT /api/operator/users/{id}/suspension', (open) => {
  test('200: suspended with a reason, and ended; 409: the second of two operators; 403: an operator', async () => {
    const database = await open();
    const { db } = database;
    const { ask, newUser } = usersStand(database);
    const [olga, otto, bob] = [await newUser('Olga'), await newUser('Otto'), await newUser('Bob')];
    for (const { id } of [olga, otto]) await changeUser(db, id, { is_operator: 1 }, olga.created_at);
    const put = (id: string, suspended: boolean, as = olga, reason = 'It sends spam.') =>
      ask<{ suspended_at: string | null; suspended_reason: string; reason: string; detail: string }>(
        'PUT',
        `/api/operator/users/${id}/suspension`,
        { as, body: { suspended, reason } },
      );
    const both = await Promise.all([put(bob.id, true), put(bob.id, true, otto)]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409]);
    const [won, lost] = both.toSorted((a, b) => a.status - b.status);
    assert.equal(won?.body.suspended_reason, 'It sends spam.');
    assert.match(lost?.body.detail ?? '', /suspended already.*Reload/);
    const [entry] = await newestAudit(db, { user_id: bob.id }, { before: undefined, limit: 1 });
    assert.deepEqual([entry?.action, entry?.reason, entry?.detail], ['users.suspend', 'It sends spam.', {}]);

    const ended = await put(bob.id, false, otto, 'It was a mistake.');
    assert.deepEqual([ended.body.suspended_at, ended.body.suspended_reason], [null, '']);
    assert.equal((await put(bob.id, false)).status, 409);
    const role = await put(otto.id, true);
    assert.deepEqual([role.status, role.body.reason], [403, 'operator']);
    assert.equal((await put('0197a000-0000-7000-8000-00000000dead', true)).status, 404);
    assert.equal((await put(bob.id, true, olga, '  ')).status, 400);
    assert.equal((await put(bob.id, true, bob)).status, 404);
  });
});
