import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { addWallet, linkEmail, linkGoogleAccount, listIdentities, MAX_WALLETS, unlinkIdentity } from './identities.ts';
import { createUser } from './users.ts';

const NOW = '2026-01-02T03:04:05.000Z';
const wallet = (user_id: string, address: string) => ({ wallet_type: 'solana', address, user_id, linked_at: NOW });

eachDatabase('sign-in methods', (open) => {
  test('the last sign-in method cannot be removed, whatever its kind', async () => {
    const { db } = await open();
    const { id: user_id } = await createUser(db, 'Ada', NOW);
    const account = { user_id, linked_at: NOW };
    await addWallet(db, wallet(user_id, 'a'));
    await linkEmail(db, { ...account, email: 'a@example.org', password_hash: 'h', password_changed_at: NOW });
    await linkGoogleAccount(db, { ...account, subject: 's', email: 'a@example.org' });
    assert.equal(await unlinkIdentity(db, user_id, { kind: 'email' }), 'unlinked');
    assert.equal(await unlinkIdentity(db, user_id, { kind: 'email' }), 'missing');
    assert.equal(await unlinkIdentity(db, user_id, { kind: 'google' }), 'unlinked');
    const key = { kind: 'wallet', wallet_type: 'solana', address: 'a' } as const;
    assert.equal(await unlinkIdentity(db, user_id, { ...key, address: 'b' }), 'missing');
    assert.equal(await unlinkIdentity(db, user_id, key), 'last');
    assert.equal((await listIdentities(db, user_id)).wallets.length, 1);
  });

  test('a sign-in method of another account cannot be removed', async () => {
    const { db } = await open();
    const [mine, other] = [await createUser(db, 'Ada', NOW), await createUser(db, 'Bob', NOW)];
    for (const address of ['a', 'b']) await addWallet(db, wallet(other.id, address));
    const key = { kind: 'wallet', wallet_type: 'solana', address: 'a' } as const;
    assert.equal(await unlinkIdentity(db, mine.id, key), 'missing');
    assert.equal((await listIdentities(db, other.id)).wallets.length, 2);
  });

  test('of three concurrent unlinks, one fails and leaves a sign-in method', async () => {
    const { db } = await open();
    for (let round = 0; round < 10; round++) {
      const { id } = await createUser(db, 'Ada', NOW);
      const addresses = [`${round}a`, `${round}b`, `${round}c`];
      for (const address of addresses) await addWallet(db, wallet(id, address));
      const outcomes = await Promise.all(
        addresses.map((address) => unlinkIdentity(db, id, { kind: 'wallet', wallet_type: 'solana', address })),
      );
      assert.deepEqual(outcomes.toSorted(), ['last', 'unlinked', 'unlinked']);
    }
  });

  test('a wallet is linked to one account, and an account has a limited number of wallets', async () => {
    const { db } = await open();
    const [mine, other] = [await createUser(db, 'Ada', NOW), await createUser(db, 'Bob', NOW)];
    assert.equal(await addWallet(db, wallet(mine.id, 'w')), 'linked');
    assert.equal(await addWallet(db, wallet(mine.id, 'w')), 'yours');
    assert.equal(await addWallet(db, wallet(other.id, 'w')), 'taken');
    assert.equal(await addWallet(db, wallet('gone', 'x')), 'missing');
    const more = await Promise.all(
      Array.from({ length: MAX_WALLETS + 4 }, (_, at) => addWallet(db, wallet(mine.id, `w${at}`))),
    );
    assert.equal(more.filter((name) => name === 'linked').length, MAX_WALLETS - 1);
    assert.equal(more.filter((name) => name === 'full').length, 5);
  });
});
