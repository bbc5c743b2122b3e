import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApiKey } from '#accounts/api-keys/api-keys.ts';
import { addSignIn } from '#accounts/sign-ins/sign-ins.ts';
import { newSignIn } from '#accounts/sign-ins/start.ts';
import { newestAudit } from '#core/audit/audit.ts';
import { oneDatabase } from '#test/databases.ts';
import { usersStand } from '#test/users-stand.ts';
import { changeUser } from './users.ts';

oneDatabase('POST /api/operator/users/{id}/revocation', (open) => {
  test('200: sessions and keys are gone, the account is not; 404: an unknown account', async () => {
    const database = await open();
    const { db } = database;
    const { ask, newUser, clock } = usersStand(database);
    const [olga, bob] = [await newUser('Olga'), await newUser('Bob')];
    await changeUser(db, olga.id, { is_operator: 1 }, olga.created_at);
    const known = { user_id: bob.id, method: 'email', wallet: null, user_agent: 'test' };
    for (let many = 0; many < 2; many++) await addSignIn(db, newSignIn(known, clock.now()));
    await createApiKey(db, { user_id: bob.id, name: 'ci', scopes: ['read'], expires_at: null }, bob.created_at);
    const post = (id: string, body: object = { reason: 'Its token leaked.' }) =>
      ask('POST', `/api/operator/users/${id}/revocation`, { as: olga, body });
    const { status, body } = await post(bob.id);
    assert.deepEqual([status, body], [200, { sessions: 2, api_keys: 1 }]);
    const [entry] = await newestAudit(db, { user_id: bob.id }, { before: undefined, limit: 1 });
    assert.deepEqual([entry?.action, entry?.reason], ['users.revoke', 'Its token leaked.']);
    assert.deepEqual((await post(bob.id)).body, { sessions: 0, api_keys: 0 });
    assert.equal((await post('0197a000-0000-7000-8000-00000000dead')).status, 404);
    assert.equal((await post(bob.id, {})).status, 400);
  });
});
