import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addSignIn, findStanding } from '#accounts/sign-ins/sign-ins.ts';
import { newId } from '#core/ids.ts';
import { eachDatabase } from '#test/databases.ts';
import { ethereumWallet, solanaWallet, type TestWallet } from '#test/wallet-keys.ts';
import { STAND_TIME, toLink, type WalletsStand, walletsStand } from '#test/wallets-stand.ts';

async function accountWith(stand: WalletsStand, first: TestWallet, ...more: TestWallet[]): Promise<string> {
  const userId = await stand.verify(await stand.proof(first));
  for (const wallet of more) await stand.link(userId, await stand.proof(wallet, toLink(userId)));
  return userId;
}

eachDatabase('unlinking a wallet', (open) => {
  test('200: the wallet no longer signs in to this account', async () => {
    const stand = walletsStand(await open());
    const [first, second] = [ethereumWallet(), solanaWallet()];
    const userId = await accountWith(stand, first, second);
    const lower = { ...first, address: first.address.toLowerCase() };
    assert.deepEqual(await stand.unlink(userId, lower), { status: 'deleted' });
    assert.equal(await stand.verify(await stand.proof(second)), userId);
    assert.notEqual(await stand.verify(await stand.proof(first)), userId);
  });

  test('200: sessions started with the wallet end, others continue', async () => {
    const { db, ...database } = await open();
    const stand = walletsStand({ db, ...database });
    const [first, second] = [ethereumWallet(), ethereumWallet()];
    const user_id = await accountWith(stand, first, second);
    const ids = [first, second].map(() => newId());
    for (const [at, wallet] of [first, second].entries())
      await addSignIn(db, {
        id: ids[at] as string,
        user_id,
        method: 'wallet',
        wallet: `eip155:1:${wallet.address}`,
        user_agent: '',
        signed_in_at: STAND_TIME,
        refreshed_at: STAND_TIME,
        expires_at: '2026-04-01T00:00:00.000Z',
        current_jti: newId(),
        previous_jti: null,
        previous_until: null,
        revoked_at: null,
      });
    await stand.unlink(user_id, first);
    const standing = await Promise.all(ids.map(async (id) => (await findStanding(db, id, STAND_TIME)) !== undefined));
    assert.deepEqual(standing, [false, true]);
  });

  test('a sign-in in progress with the wallet fails', async () => {
    const { db, ...database } = await open();
    const stand = walletsStand({ db, ...database });
    const [first, second] = [ethereumWallet(), solanaWallet()];
    const userId = await accountWith(stand, first, second);
    const [begun] = stand.started;
    assert.equal(await begun?.stillLeads(db), true);
    await stand.unlink(userId, first);
    assert.equal(await begun?.stillLeads(db), false);
  });

  test('404: a wallet of another user; 400: an invalid address', async () => {
    const stand = walletsStand(await open());
    const [mine, other] = [ethereumWallet(), ethereumWallet()];
    const userId = await accountWith(stand, mine, solanaWallet());
    await accountWith(stand, other, solanaWallet());
    await assert.rejects(stand.unlink(userId, other), { code: 'auth.not_found', reason: 'wallet' });
    const none = { ...mine, address: 'x' };
    await assert.rejects(stand.unlink(userId, none), { code: 'http.invalid', reason: 'input' });
  });

  test('409: the last sign-in method cannot be removed', async () => {
    const stand = walletsStand(await open());
    const wallet = solanaWallet();
    const userId = await accountWith(stand, wallet);
    await assert.rejects(stand.unlink(userId, wallet), { code: 'auth.identity_conflict', reason: 'last_identity' });
    assert.equal(await stand.verify(await stand.proof(wallet)), userId);
  });
});
