import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newestAudit } from '#core/audit/audit.ts';
import { oneDatabase } from '#test/databases.ts';
import { usersStand } from '#test/users-stand.ts';
import { changeUser } from './users.ts';

oneDatabase('PUT /api/operator/users/{id}/tier', (open) => {
  test('200: another tier, recorded with its reason; 409: the tier is no longer what the operator saw', async () => {
    const database = await open();
    const { db } = database;
    const { ask, newUser } = usersStand(database);
    const [olga, bob] = [await newUser('Olga'), await newUser('Bob')];
    await changeUser(db, olga.id, { is_operator: 1 }, olga.created_at);
    const put = (body: object) =>
      ask<{ tier: string; errors: { pointer: string }[] }>('PUT', `/api/operator/users/${bob.id}/tier`, {
        as: olga,
        body,
      });
    const order = { tier: 'pro', from: 'free', reason: 'Maintainer.' };
    const changed = await put(order);
    assert.deepEqual([changed.status, changed.body.tier], [200, 'pro']);
    const late = await put({ ...order, tier: 'casual' });
    assert.deepEqual([late.status, late.body.code], [409, 'users.conflict']);
    const [entry] = await newestAudit(db, { user_id: bob.id }, { before: undefined, limit: 1 });
    assert.deepEqual(
      [entry?.action, entry?.reason, entry?.detail],
      ['users.set_tier', 'Maintainer.', { from: 'free', to: 'pro' }],
    );
    const bad = await put({ ...order, tier: 'gold', from: 'pro' });
    assert.deepEqual([bad.status, bad.body.errors[0]?.pointer], [400, '/tier']);
  });
});
