import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { STAND_TIME, usersStand } from '#test/users-stand.ts';
import { linkWallet } from './identities.ts';

const lookup = (wallet_address: unknown, wallet_type: unknown = 'ethereum') => ({ wallet_address, wallet_type });

eachDatabase('looking up a user', (open) => {
  test('200: returns the public profile for any notation of the address; 404: no account has the wallet', async () => {
    const database = await open();
    const publisher = { id: 'p', name: 'Publisher' };
    const { ask, newUser } = usersStand(database, { findPublisher: async () => publisher });
    const [user, as] = [await newUser(), await newUser('Eve')];
    for (const address of ['0xaa', '0xbb'])
      await linkWallet(database.db, { wallet_type: 'ethereum', address, user_id: user.id, linked_at: STAND_TIME });
    const found = await ask('POST', '/api/users/lookup', { as, body: lookup('0xBB') });
    assert.equal(found.status, 200);
    assert.deepEqual(found.body, {
      id: user.id,
      display_name: 'Ada',
      publisher,
      created_at: STAND_TIME,
      wallet: { address: '0xbb', type: 'ethereum' },
    });
    for (const body of [lookup('0xcc'), lookup('0xbb', 'solana')]) {
      const missing = await ask('POST', '/api/users/lookup', { as, body });
      assert.deepEqual([missing.status, missing.body.code], [404, 'users.not_found']);
    }
  });

  test('400: invalid body; 401: no token', async () => {
    const { ask, newUser } = usersStand(await open());
    const as = await newUser();
    const bad = [
      {},
      lookup(''),
      lookup(7),
      lookup('0xaa', ''),
      { ...lookup('0xaa'), id: 'x' },
      lookup('x'.repeat(300)),
    ];
    for (const body of bad) assert.equal((await ask('POST', '/api/users/lookup', { as, body })).status, 400);
    assert.equal((await ask('POST', '/api/users/lookup')).status, 401);
  });
});
