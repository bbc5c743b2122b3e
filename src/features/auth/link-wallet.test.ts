import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '../../../test/databases.ts';
import { ethereumWallet, solanaWallet } from '../../../test/wallet-keys.ts';
import { walletsStand } from '../../../test/wallets-stand.ts';
import { listIdentities, MAX_WALLETS } from '../users/identities.ts';

eachDatabase('linking a wallet', (open) => {
  test('200: the wallet leads to the account from now on; a second time changes nothing', async () => {
    const stand = walletsStand(await open());
    const [first, second] = [ethereumWallet(), solanaWallet()];
    const user_id = await stand.verify(await stand.proof(first));
    const linked = { status: 'linked', wallet_type: 'solana', wallet_address: second.address };
    assert.deepEqual(await stand.link(user_id, await stand.proof(second)), linked);
    assert.deepEqual(await stand.link(user_id, await stand.proof(second)), linked);
    assert.equal(await stand.verify(await stand.proof(second)), user_id);
  });

  test('401: without the signature of the wallet itself', async () => {
    const stand = walletsStand(await open());
    const [mine, other] = [ethereumWallet(), ethereumWallet()];
    const user_id = await stand.verify(await stand.proof(mine));
    const { challenge_id, message } = await stand.challenge(other);
    const forged = { challenge_id, signature: await mine.sign(message), wallet_address: other.address };
    await assert.rejects(stand.link(user_id, forged), { code: 'auth.wallet_signature_invalid' });
    const used = await stand.proof(other);
    await stand.verify(used);
    await assert.rejects(stand.link(user_id, used), { code: 'auth.challenge_used' });
  });

  test('409: the wallet of another account stays there', async () => {
    const stand = walletsStand(await open());
    const [mine, other] = [solanaWallet(), solanaWallet()];
    const user_id = await stand.verify(await stand.proof(mine));
    const owner = await stand.verify(await stand.proof(other));
    await assert.rejects(stand.link(user_id, await stand.proof(other)), { code: 'auth.wallet_taken' });
    assert.equal(await stand.verify(await stand.proof(other)), owner);
  });

  test('409: more than an account may have', async () => {
    const database = await open();
    const stand = walletsStand(database);
    const user_id = await stand.verify(await stand.proof(solanaWallet()));
    for (let count = 1; count < MAX_WALLETS; count++) await stand.link(user_id, await stand.proof(solanaWallet()));
    await assert.rejects(stand.link(user_id, await stand.proof(solanaWallet())), { code: 'auth.wallets_full' });
    assert.equal((await listIdentities(database.db, user_id)).wallets.length, MAX_WALLETS);
  });

  test('401: the account was deleted meanwhile', async () => {
    const stand = walletsStand(await open());
    const proof = await stand.proof(solanaWallet());
    await assert.rejects(stand.link('019a8c1e-7f00-7000-8000-3b1f6f4f9a10', proof), { code: 'auth.token_invalid' });
  });
});
