import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listIdentities, MAX_WALLETS } from '#accounts/users/identities.ts';
import { deleteUserRow } from '#accounts/users/users.ts';
import { eachDatabase } from '#test/databases.ts';
import { ethereumWallet, solanaWallet } from '#test/wallet-keys.ts';
import { toLink, walletsStand } from '#test/wallets-stand.ts';

eachDatabase('linking a wallet', (open) => {
  test('200: the wallet signs in to the account from now on; linking it again changes nothing', async () => {
    const stand = walletsStand(await open());
    const [first, second] = [ethereumWallet(), solanaWallet()];
    const user_id = await stand.verify(await stand.proof(first));
    const linked = { status: 'linked', wallet_type: 'solana', wallet_address: second.address };
    assert.deepEqual(await stand.link(user_id, await stand.proof(second, toLink(user_id))), linked);
    assert.deepEqual(await stand.link(user_id, await stand.proof(second, toLink(user_id))), linked);
    assert.equal(await stand.verify(await stand.proof(second)), user_id);
  });

  test('401: without a signature of the wallet itself', async () => {
    const stand = walletsStand(await open());
    const [mine, other] = [ethereumWallet(), ethereumWallet()];
    const user_id = await stand.verify(await stand.proof(mine));
    const { challenge_id, message } = await stand.challenge(other, toLink(user_id));
    const forged = { challenge_id, signature: await mine.sign(message), wallet_address: other.address };
    await assert.rejects(stand.link(user_id, forged), { code: 'auth.signature_invalid', reason: 'signature' });
    const used = await stand.proof(other);
    await stand.verify(used);
    await assert.rejects(stand.link(user_id, used), { code: 'auth.signature_invalid', reason: 'challenge_used' });
  });

  test('409: a wallet of another account stays there', async () => {
    const stand = walletsStand(await open());
    const [mine, other] = [solanaWallet(), solanaWallet()];
    const user_id = await stand.verify(await stand.proof(mine));
    const owner = await stand.verify(await stand.proof(other));
    await assert.rejects(stand.link(user_id, await stand.proof(other, toLink(user_id))), {
      code: 'auth.identity_conflict',
      reason: 'wallet_taken',
    });
    assert.equal(await stand.verify(await stand.proof(other)), owner);
  });

  test("409: over the account's limit", async () => {
    const database = await open();
    const stand = walletsStand(database);
    const user_id = await stand.verify(await stand.proof(solanaWallet()));
    for (let count = 1; count < MAX_WALLETS; count++)
      await stand.link(user_id, await stand.proof(solanaWallet(), toLink(user_id)));
    await assert.rejects(stand.link(user_id, await stand.proof(solanaWallet(), toLink(user_id))), {
      code: 'users.limit_exceeded',
    });
    assert.equal((await listIdentities(database.db, user_id)).wallets.length, MAX_WALLETS);
  });

  test('401: the account was deleted in the meantime', async () => {
    const database = await open();
    const stand = walletsStand(database);
    const user_id = await stand.verify(await stand.proof(solanaWallet()));
    const proof = await stand.proof(solanaWallet(), toLink(user_id));
    await deleteUserRow(database.db, user_id);
    await assert.rejects(stand.link(user_id, proof), { code: 'auth.signature_invalid', reason: 'challenge_unknown' });
  });

  test('401: a signature for signing in, or for linking to another account, links nothing', async () => {
    const database = await open();
    const stand = walletsStand(database);
    const [mine, theirs] = [solanaWallet(), solanaWallet()];
    const user_id = await stand.verify(await stand.proof(mine));
    const other_id = await stand.verify(await stand.proof(solanaWallet()));
    const purposes = [{}, toLink(other_id), { user_id }];
    for (const purpose of purposes)
      await assert.rejects(stand.link(user_id, await stand.proof(theirs, purpose)), {
        code: 'auth.signature_invalid',
      });
    assert.equal((await listIdentities(database.db, user_id)).wallets.length, 1);
  });
});
