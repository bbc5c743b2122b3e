import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { STAND_TIME, usersStand } from '#test/users-stand.ts';
import { createApiKey, findApiKey } from './api-keys.ts';

eachDatabase("deleting one's own API key", (open) => {
  test("200: the key stops working; 404: unknown key or another user's; 403: path of another account", async () => {
    const { db, ...database } = await open();
    const { ask, newUser } = usersStand({ db, ...database });
    const [as, other] = [await newUser(), await newUser()];
    const newKey = { user_id: as.id, name: 'k', scopes: ['read' as const], expires_at: null };
    const { id, key } = await createApiKey(db, newKey, STAND_TIME);
    const stolen = await ask('DELETE', `/api/users/${other.id}/api-keys/${id}`, { as: other });
    assert.deepEqual([stolen.status, stolen.body.code, stolen.body.reason], [404, 'auth.not_found', 'api_key']);
    assert.equal((await ask('DELETE', `/api/users/${as.id}/api-keys/${id}`, { as: other })).status, 403);
    assert.ok(await findApiKey(db, key, STAND_TIME));
    const gone = await ask('DELETE', `/api/users/${as.id}/api-keys/${id}`, { as });
    assert.deepEqual([gone.status, gone.body], [200, { status: 'deleted' }]);
    assert.equal(await findApiKey(db, key, STAND_TIME), undefined);
    assert.equal((await ask('DELETE', `/api/users/${as.id}/api-keys/${id}`, { as })).status, 404);
  });
});
