import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isoTime } from '#core/clock/clock.ts';
import { eachDatabase } from '#test/databases.ts';
import { readVectors } from '#test/vectors.ts';
import { ethereumWallet, solanaWallet } from '#test/wallet-keys.ts';
import { countRows, walletsStand } from '#test/wallets-stand.ts';
import { openWorld } from '#test/world.ts';

const codeOf = (outcome: PromiseSettledResult<unknown>): string =>
  outcome.status === 'fulfilled' ? 'ok' : (outcome.reason as { code: string }).code;

function tally(outcomes: PromiseSettledResult<unknown>[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const code of outcomes.map(codeOf)) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}

eachDatabase('signing in with a wallet', (open) => {
  test('200: an unknown wallet gets an account, and signs in to it from then on', async () => {
    const database = await open();
    const stand = walletsStand(database);
    for (const wallet of [ethereumWallet(), solanaWallet()]) {
      const first = await stand.verify(await stand.proof(wallet));
      assert.equal(await stand.verify(await stand.proof(wallet)), first);
      const lower = {
        ...wallet,
        address: wallet.wallet_type === 'ethereum' ? wallet.address.toLowerCase() : wallet.address,
      };
      assert.equal(await stand.verify(await stand.proof(lower)), first);
    }
    assert.equal(await countRows(database, 'users'), 2);
    const [{ wallet, method, user, user_agent } = assert.fail()] = stand.started;
    assert.match(`${wallet}`, /^eip155:1:0x[0-9a-fA-F]{40}$/);
    assert.match(user.display_name, /^0x[0-9a-fA-F]{4}…[0-9a-fA-F]{4}$/);
    assert.deepEqual([method, user.tier, user_agent], ['wallet', 'free', 'a test']);
  });

  test('401: unknown, used and expired challenges have different reasons', async () => {
    const stand = walletsStand(await open());
    const wallet = solanaWallet();
    const proof = await stand.proof(wallet);
    for (const challenge_id of ['', '\0', 'x'.repeat(100), "' OR 1=1", '019a8c1e-7f00-7000-8000-3b1f6f4f9a10'])
      await assert.rejects(stand.verify({ ...proof, challenge_id }), {
        code: 'auth.signature_invalid',
        reason: 'challenge_unknown',
      });
    await stand.verify(proof);
    await assert.rejects(stand.verify(proof), { code: 'auth.signature_invalid', reason: 'challenge_used' });
    const late = await stand.proof(wallet);
    const lastMoment = await stand.proof(wallet);
    stand.clock.ms += 299_999;
    await stand.verify(lastMoment);
    stand.clock.ms += 1;
    await assert.rejects(stand.verify(late), { code: 'auth.signature_invalid', reason: 'challenge_expired' });
    await assert.rejects(stand.verify(proof), { code: 'auth.signature_invalid', reason: 'challenge_used' });
  });

  test('a failed verification consumes its challenge', async () => {
    const database = await open();
    const stand = walletsStand(database);
    const [mine, other] = [ethereumWallet(), ethereumWallet()];
    const tries = {
      'auth.signature_invalid signature': async () => ({
        ...(await stand.proof(mine)),
        signature: (await stand.proof(other)).signature,
      }),
      'auth.signature_invalid wallet': async () => ({ ...(await stand.proof(mine)), wallet_address: other.address }),
      'http.invalid input': async () => ({ ...(await stand.proof(mine)), wallet_address: 'x' }),
      'auth.rpc_required': async () => ({ ...(await stand.proof(mine)), signature: '0x00' }),
    };
    for (const [name, make] of Object.entries(tries)) {
      const [code, reason] = name.split(' ');
      const proof = await make();
      await assert.rejects(stand.verify(proof), { code, reason });
      await assert.rejects(stand.verify(proof), { code: 'auth.signature_invalid', reason: 'challenge_used' });
    }
    assert.equal(await countRows(database, 'users'), 0);
  });

  test('401: the signature is of another wallet or for another message', async () => {
    const stand = walletsStand(await open());
    const [mine, other] = [solanaWallet(), solanaWallet()];
    const { challenge_id, message } = await stand.challenge(mine);
    const forged = { challenge_id, signature: await other.sign(message), wallet_address: mine.address };
    await assert.rejects(stand.verify(forged), { code: 'auth.signature_invalid', reason: 'signature' });
    const [one, two] = [await stand.proof(mine), await stand.proof(mine)];
    await assert.rejects(stand.verify({ ...one, signature: two.signature }), {
      code: 'auth.signature_invalid',
      reason: 'signature',
    });
  });

  test('of 200 concurrent verifications of one challenge, one succeeds', async () => {
    const stand = walletsStand(await open());
    const proof = await stand.proof(ethereumWallet());
    const outcomes = await Promise.allSettled(Array.from({ length: 200 }, () => stand.verify(proof)));
    assert.deepEqual(tally(outcomes), { ok: 1, 'auth.signature_invalid': 199 });
  });

  test('20 concurrent first sign-ins of one wallet create one account', async () => {
    const database = await open();
    const stand = walletsStand(database);
    const wallet = solanaWallet();
    const proofs = await Promise.all(Array.from({ length: 20 }, () => stand.proof(wallet)));
    const users = await Promise.all(proofs.map((proof) => stand.verify(proof)));
    assert.equal(new Set(users).size, 1);
    assert.deepEqual([await countRows(database, 'users'), await countRows(database, 'wallets')], [1, 1]);
  });

  test('401: the published expired messages are refused', async () => {
    type Signed = { address: string; expirationTime: string; signature: string; time?: string };
    const vectors = readVectors<Record<string, Signed>>('siwe/verification_negative.json');
    const database = await open();
    const stand = walletsStand(database);
    for (const name of ['expired message', 'custom time']) {
      const { address, expirationTime, signature, time } = vectors[name] as Signed;
      stand.clock.ms = Date.parse(time ?? '2026-01-01T00:00:00Z');
      const expires_at = isoTime(Date.parse(expirationTime));
      const id = `019a8c1e-7f00-7000-8000-${name.length}`.padEnd(36, '0');
      const row = { id, wallet_type: 'ethereum', address, message: name, created_at: expires_at, expires_at };
      await database.db
        .insertInto('challenges')
        .values({ ...row, user_id: null, operation: null, target: null, used_at: null })
        .execute();
      const proof = { challenge_id: id, signature, wallet_address: address };
      await assert.rejects(stand.verify(proof), { code: 'auth.signature_invalid', reason: 'challenge_expired' }, name);
    }
  });
});

test('400: the client cannot send its own message', async () => {
  await using world = await openWorld();
  const messages = Object.values(readVectors<Record<string, string>>('siwe/parsing_negative.json'));
  assert.equal(messages.length, 29);
  for (const message of messages) {
    const answer = await world.fetch('/api/wallets/verify', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ challenge_id: 'x', signature: '0x00', wallet_address: 'x', message }),
    });
    assert.equal(answer.status, 400);
    assert.match(((await answer.json()) as { detail: string }).detail, /message/);
  }
});
