import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listIdentities, MAX_WALLETS } from '#accounts/users/identities.ts';
import { deleteUserRow } from '#accounts/users/users.ts';
import { eachDatabase } from '#test/databases.ts';
import { ethereumWallet, solanaWallet } from '#test/wallet-keys.ts';
import { toLink, walletsStand } from '#test/wallets-stand.ts';

eachDatabase('linking a wallet', (open) => {
  test('200: the wallet signs in to the account, and linking it again changes nothing', async () => {
    const stand = walletsStand(await open());
    const [first, second] = [ethereumWallet(), solanaWallet()];
    const userId = await stand.verify(await stand.proof(first));
    const linked = { status: 'linked', wallet_type: 'solana', wallet_address: second.address };
    assert.deepEqual(await stand.link(userId, await stand.proof(second, toLink(userId))), linked);
    assert.deepEqual(await stand.link(userId, await stand.proof(second, toLink(userId))), linked);
    assert.equal(await stand.verify(await stand.proof(second)), userId);
  });

  test('401: the signature is not of this wallet, or its challenge was used', async () => {
    const stand = walletsStand(await open());
    const [mine, other] = [ethereumWallet(), ethereumWallet()];
    const userId = await stand.verify(await stand.proof(mine));
    const { challenge_id, message } = await stand.challenge(other, toLink(userId));
    const forged = { challenge_id, signature: await mine.sign(message), wallet_address: other.address };
    await assert.rejects(stand.link(userId, forged), { code: 'auth.signature_invalid', reason: 'signature' });
    const used = await stand.proof(other);
    await stand.verify(used);
    await assert.rejects(stand.link(userId, used), { code: 'auth.signature_invalid', reason: 'challenge_used' });
  });

  test('409: the wallet belongs to another account', async () => {
    const stand = walletsStand(await open());
    const [mine, other] = [solanaWallet(), solanaWallet()];
    const userId = await stand.verify(await stand.proof(mine));
    const owner = await stand.verify(await stand.proof(other));
    await assert.rejects(stand.link(userId, await stand.proof(other, toLink(userId))), {
      code: 'auth.identity_conflict',
      reason: 'wallet_taken',
    });
    assert.equal(await stand.verify(await stand.proof(other)), owner);
  });

  test('409: the account has the maximum number of wallets', async () => {
    const database = await open();
    const stand = walletsStand(database);
    const userId = await stand.verify(await stand.proof(solanaWallet()));
    for (let count = 1; count < MAX_WALLETS; count++)
      await stand.link(userId, await stand.proof(solanaWallet(), toLink(userId)));
    await assert.rejects(stand.link(userId, await stand.proof(solanaWallet(), toLink(userId))), {
      code: 'users.limit_exceeded',
    });
    assert.equal((await listIdentities(database.db, userId)).wallets.length, MAX_WALLETS);
  });

  test('401: the account was deleted in the meantime', async () => {
    const database = await open();
    const stand = walletsStand(database);
    const userId = await stand.verify(await stand.proof(solanaWallet()));
    const proof = await stand.proof(solanaWallet(), toLink(userId));
    await deleteUserRow(database.db, userId);
    await assert.rejects(stand.link(userId, proof), { code: 'auth.signature_invalid', reason: 'challenge_unknown' });
  });

  test('401: a signature for signing in, or for linking to another account, links nothing', async () => {
    const database = await open();
    const stand = walletsStand(database);
    const [mine, theirs] = [solanaWallet(), solanaWallet()];
    const user_id = await stand.verify(await stand.proof(mine));
    const otherId = await stand.verify(await stand.proof(solanaWallet()));
    const purposes = [{}, toLink(otherId), { user_id }];
    for (const purpose of purposes)
      await assert.rejects(stand.link(user_id, await stand.proof(theirs, purpose)), {
        code: 'auth.signature_invalid',
      });
    assert.equal((await listIdentities(database.db, user_id)).wallets.length, 1);
  });
});
