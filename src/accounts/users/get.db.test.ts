import assert from 'node:assert/strict';
import { test } from 'node:test';
import { takeRequest } from '#accounts/quotas/quota.ts';
import { listAudit } from '#core/audit/audit.ts';
import { newId } from '#core/ids.ts';
import { eachDatabase, type TestDatabase } from '#test/databases.ts';
import { STAND_TIME, usersStand } from '#test/users-stand.ts';
import { linkEmail, linkGoogleAccount, linkWallet } from './identities.ts';
import { changeUser, type User } from './users.ts';

const linked_at = STAND_TIME;
const PUBLIC = ['created_at', 'display_name', 'id', 'publisher', 'wallet'];

async function linkAll({ db }: TestDatabase, { id: user_id }: User): Promise<void> {
  await linkWallet(db, { wallet_type: 'ethereum', address: '0xaa', user_id, linked_at });
  await linkEmail(db, {
    email: 'ada@example.com',
    user_id,
    password_hash: 'HASH',
    linked_at,
    password_changed_at: linked_at,
  });
  await linkGoogleAccount(db, { subject: 'SUBJECT', user_id, email: 'ada@gmail.example', linked_at });
}

eachDatabase('getting a user', (open) => {
  test("200: a user's own complete profile, without secrets", async () => {
    const database = await open();
    const { ask, newUser, clock } = usersStand(database);
    const as = await newUser();
    await linkAll(database, as);
    await takeRequest(database.db, { user_id: as.id, tier: 'free' }, clock.ms);
    const { status, body, headers } = await ask('GET', `/api/users/${as.id}`, { as });
    assert.equal(status, 200);
    assert.equal(headers.get('cache-control'), 'no-store');
    const { storage, ...rest } = body;
    assert.equal((storage as { used_bytes: number }).used_bytes, 0);
    assert.deepEqual(rest, {
      id: as.id,
      display_name: 'Ada',
      publisher: null,
      created_at: STAND_TIME,
      updated_at: STAND_TIME,
      wallet: { address: '0xaa', type: 'ethereum' },
      wallets: [{ address: '0xaa', type: 'ethereum', linked_at }],
      email: 'ada@example.com',
      google: { email: 'ada@gmail.example', linked_at },
      identities: [
        { method: 'wallet', name: '0xaa', linked_at },
        { method: 'email', name: 'ada@example.com', linked_at },
        { method: 'google', name: 'ada@gmail.example', linked_at },
      ],
      tier: 'free',
      quota: { limit: 100, used: 1, resets_at: '2026-03-02T00:00:00.000Z' },
      is_operator: false,
    });
  });

  test("200: another user's public profile, which does not reveal that wallets belong together", async () => {
    const database = await open();
    const { ask, newUser } = usersStand(database);
    const [user, as] = [await newUser(), await newUser('Eve')];
    await linkAll(database, user);
    const one = await ask('GET', `/api/users/${user.id}`, { as });
    assert.deepEqual([one.status, Object.keys(one.body).sort()], [200, PUBLIC]);
    assert.deepEqual(one.body.wallet, { address: '0xaa', type: 'ethereum' });
    await linkWallet(database.db, { wallet_type: 'solana', address: 's1', user_id: user.id, linked_at });
    assert.equal((await ask('GET', `/api/users/${user.id}`, { as })).body.wallet, null);
    assert.deepEqual(await Array.fromAsync(listAudit(database.db)), []);
  });

  test('200: operators see the complete profile, and an audit entry is written', async () => {
    const database = await open();
    const { ask, newUser } = usersStand(database);
    const [user, as] = [await newUser(), await newUser('Op')];
    await linkAll(database, user);
    await changeUser(database.db, as.id, { is_operator: 1 }, STAND_TIME);
    assert.equal((await ask('GET', `/api/users/${user.id}`, { as })).body.email, 'ada@example.com');
    await ask('GET', `/api/users/${as.id}`, { as });
    await ask('GET', `/api/users/${newId()}`, { as });
    const [entry, ...more] = await Array.fromAsync(listAudit(database.db));
    assert.deepEqual(more, []);
    const { at, actor, action, target, detail } = entry ?? assert.fail('no entry');
    assert.deepEqual([at, actor, action, target, detail], [STAND_TIME, as.id, 'users.look', user.id, {}]);
  });

  test('404: unknown id; 400: invalid id; 401: no token', async () => {
    const { ask, newUser } = usersStand(await open());
    const as = await newUser();
    const missing = await ask('GET', `/api/users/${newId()}`, { as });
    assert.deepEqual([missing.status, missing.body.code], [404, 'users.not_found']);
    assert.equal((await ask('GET', '/api/users/me', { as })).status, 400);
    assert.equal((await ask('GET', `/api/users/${as.id}`)).status, 401);
  });
});
