import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeUser } from '#accounts/users/users.ts';
import { eachDatabase } from '#test/databases.ts';
import { STAND_TIME, usersStand } from '#test/users-stand.ts';
import { createApiKey, findApiKey, listApiKeys } from './api-keys.ts';

const asked = (more: Record<string, unknown> = {}) => ({ name: 'nightly', scopes: ['read'], ...more });

eachDatabase('creating an API key', (open) => {
  test('201: returns a working key, which is shown only once', async () => {
    const { db, ...database } = await open();
    const { ask, newUser } = usersStand({ db, ...database });
    const as = await newUser();
    const body = asked({ expires_at: '2026-04-01T02:00:00+02:00' });
    const made = await ask('POST', `/api/users/${as.id}/api-keys`, { as, body });
    assert.equal(made.status, 201);
    assert.equal(made.headers.get('cache-control'), 'no-store');
    const { id, key, hint, ...rest } = made.body;
    assert.deepEqual(rest, {
      name: 'nightly',
      scopes: ['read'],
      created_at: STAND_TIME,
      last_used_at: null,
      expires_at: '2026-04-01T00:00:00.000Z',
    });
    assert.ok(`${key}`.startsWith(`${hint}`.slice(0, -1)));
    assert.equal((await findApiKey(db, `${key}`, STAND_TIME))?.id, id);
  });

  test('403: rejects scopes that the caller or the tier does not have', async () => {
    const { db, ...database } = await open();
    const { ask, newUser } = usersStand({ db, ...database });
    const as = await newUser();
    const path = `/api/users/${as.id}/api-keys`;
    const body = asked({ scopes: ['read', 'admin'] });
    const refused = await ask('POST', path, { as, body });
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.reason],
      [403, 'auth.insufficient_scope', 'requested'],
    );
    await changeUser(db, as.id, { tier: 'pro' }, STAND_TIME);
    assert.equal((await ask('POST', path, { as, body })).status, 201);
  });

  test('422: rejects an expiry in the past', async () => {
    const { ask, newUser } = usersStand(await open());
    const as = await newUser();
    for (const expires_at of [STAND_TIME, '2020-01-01T00:00:00Z']) {
      const refused = await ask('POST', `/api/users/${as.id}/api-keys`, { as, body: asked({ expires_at }) });
      assert.deepEqual([refused.status, refused.body.code], [422, 'users.api_key_invalid']);
    }
  });

  test('400: invalid body; 403: path of another account', async () => {
    const { ask, newUser } = usersStand(await open());
    const [as, other] = [await newUser(), await newUser()];
    const bad = [
      {},
      { name: 'x' },
      asked({ scopes: [] }),
      asked({ scopes: ['read', 'read'] }),
      asked({ scopes: ['root'] }),
      asked({ name: '' }),
      asked({ name: 'a\u202Eb' }),
      asked({ name: 'x'.repeat(81) }),
      asked({ key: 'cap_x' }),
      ...['tomorrow', '2027-01-01', '2027-02-30T00:00:00Z', '12027-01-01T00:00:00Z', 1].map((expires_at) =>
        asked({ expires_at }),
      ),
    ];
    for (const body of bad) {
      const { status } = await ask('POST', `/api/users/${as.id}/api-keys`, { as, body });
      assert.deepEqual([status, body], [400, body]);
    }
    assert.equal((await ask('POST', `/api/users/${other.id}/api-keys`, { as, body: asked() })).status, 403);
  });

  test('409: an account has at most fifty keys, also with concurrent requests', async () => {
    const { db, ...database } = await open();
    const { ask, newUser } = usersStand({ db, ...database });
    const as = await newUser();
    for (let made = 0; made < 49; made++)
      await createApiKey(db, { user_id: as.id, name: 'k', scopes: ['read'], expires_at: null }, STAND_TIME);
    const path = `/api/users/${as.id}/api-keys`;
    const answers = await Promise.all(Array.from({ length: 12 }, () => ask('POST', path, { as, body: asked() })));
    const codes = answers.map((answer) => answer.body.code ?? answer.status).sort();
    assert.deepEqual(codes, [201, ...Array(11).fill('users.limit_exceeded')]);
    assert.equal((await listApiKeys(db, as.id)).length, 50);
  });
});
