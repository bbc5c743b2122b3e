import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { STAND_TIME, usersStand } from '#test/users-stand.ts';
import { createApiKey } from './api-keys.ts';

interface Page {
  items: Record<string, unknown>[];
  total_count: number;
}

eachDatabase("listing one's own API keys", (open) => {
  test('200: returns pages without keys and hashes', async () => {
    const { db, ...database } = await open();
    const { ask, newUser } = usersStand({ db, ...database });
    const [as, other] = [await newUser(), await newUser()];
    for (const user of [as, as, as, other])
      await createApiKey(db, { user_id: user.id, name: 'k', scopes: ['read'], expires_at: null }, STAND_TIME);
    const whole = await ask<Page>('GET', `/api/users/${as.id}/api-keys`, { as });
    assert.deepEqual([whole.status, whole.body.items.length, whole.body.total_count], [200, 3, 3]);
    const fields = ['created_at', 'expires_at', 'hint', 'id', 'last_used_at', 'name', 'scopes'];
    assert.deepEqual(Object.keys(whole.body.items[0] ?? {}).sort(), fields);
    const last = await ask<Page>('GET', `/api/users/${as.id}/api-keys?limit=2&offset=2`, { as });
    assert.deepEqual(last.body.items, whole.body.items.slice(2));
    assert.match(last.headers.get('link') ?? '', /offset=0>; rel="prev"/);
  });

  test('403: path of another account; 400: invalid page; 401: no token', async () => {
    const { ask, newUser } = usersStand(await open());
    const [as, other] = [await newUser(), await newUser()];
    const refused = await ask('GET', `/api/users/${other.id}/api-keys`, { as });
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.reason],
      [403, 'http.forbidden', 'other_account'],
    );
    assert.equal((await ask('GET', `/api/users/${as.id}/api-keys?limit=201`, { as })).status, 400);
    assert.equal((await ask('GET', `/api/users/${as.id}/api-keys`)).status, 401);
  });
});
