import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '../../../../test/databases.ts';
import { ethereumWallet, solanaWallet } from '../../../../test/wallet-keys.ts';
import { walletsStand } from '../../../../test/wallets-stand.ts';
import { verifyStepUp } from './step-up.ts';

eachDatabase('the step-up', (open) => {
  test('any wallet of the account confirms, once', async () => {
    const stand = walletsStand(await open());
    const wallets = [ethereumWallet(), solanaWallet()];
    const user_id = await stand.verify(await stand.proof(wallets[0] as never));
    await stand.link(user_id, await stand.proof(wallets[1] as never));
    for (const wallet of wallets) {
      const { challenge_id, signature } = await stand.proof(wallet);
      await verifyStepUp(stand.deps, { user_id, challenge_id, signature });
      const again = verifyStepUp(stand.deps, { user_id, challenge_id, signature });
      await assert.rejects(again, { code: 'auth.challenge_used' });
    }
  });

  test('403: a wallet of another account or of none, whoever signed; and the challenge is used up', async () => {
    const stand = walletsStand(await open());
    const [mine, other, unknown] = [solanaWallet(), solanaWallet(), solanaWallet()];
    const user_id = await stand.verify(await stand.proof(mine));
    await stand.verify(await stand.proof(other));
    for (const wallet of [other, unknown]) {
      const proof = await stand.proof(wallet);
      await assert.rejects(verifyStepUp(stand.deps, { user_id, ...proof }), { code: 'auth.wallet_not_linked' });
      await assert.rejects(stand.verify(proof), { code: 'auth.challenge_used' });
    }
  });

  test('401: a bad signature, a challenge that was signed in with, one that is too old', async () => {
    const stand = walletsStand(await open());
    const wallet = solanaWallet();
    const signed_in = await stand.proof(wallet);
    const user_id = await stand.verify(signed_in);
    await assert.rejects(verifyStepUp(stand.deps, { user_id, ...signed_in }), { code: 'auth.challenge_used' });
    const bad = { ...(await stand.proof(wallet)), signature: signed_in.signature };
    await assert.rejects(verifyStepUp(stand.deps, { user_id, ...bad }), { code: 'auth.wallet_signature_invalid' });
    const late = await stand.proof(wallet);
    stand.clock.ms += 300_000;
    await assert.rejects(verifyStepUp(stand.deps, { user_id, ...late }), { code: 'auth.challenge_expired' });
  });

  test('of many requests with one challenge at once, one is confirmed', async () => {
    const stand = walletsStand(await open());
    const wallet = ethereumWallet();
    const user_id = await stand.verify(await stand.proof(wallet));
    const proof = await stand.proof(wallet);
    const tries = Array.from({ length: 50 }, () => verifyStepUp(stand.deps, { user_id, ...proof }));
    const outcomes = await Promise.allSettled(tries);
    assert.equal(outcomes.filter((it) => it.status === 'fulfilled').length, 1);
  });
});
