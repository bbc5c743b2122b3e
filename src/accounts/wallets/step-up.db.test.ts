import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { OPERATIONS } from '#app/contract.ts';
import { eachDatabase } from '#test/databases.ts';
import { ethereumWallet, solanaWallet, type TestWallet } from '#test/wallet-keys.ts';
import { type Proof, toLink, type WalletsStand, walletsStand } from '#test/wallets-stand.ts';
import { checkConfirms, columnsOf, type Purpose, statementOf, UNNAMED_OPERATIONS } from './purpose.ts';
import { verifyStepUp } from './step-up.ts';

const KEYS = 'accounts.apiKeys.create';
const keysOf = (userId: string): string => `/api/users/${userId}/api-keys`;

/** A signature of this wallet for creating an API key. */
const signed = (stand: WalletsStand, wallet: TestWallet, user_id: string): Promise<Proof> =>
  stand.proof(wallet, { user_id, purpose: { operation: KEYS, target: keysOf(user_id) } });

const stepUp = (
  { deps }: WalletsStand,
  user_id: string,
  { challenge_id, signature }: Proof,
  operation = KEYS,
  target = keysOf(user_id),
) => verifyStepUp(deps, { user_id, operation, target, challenge_id, signature });

const WRONG = { code: 'auth.signature_invalid' };

eachDatabase('the step-up', (open) => {
  test('any wallet of the account confirms a request, once', async () => {
    const stand = walletsStand(await open());
    const wallets = [ethereumWallet(), solanaWallet()];
    const userId = await stand.verify(await stand.proof(wallets[0] as never));
    await stand.link(userId, await stand.proof(wallets[1] as never, toLink(userId)));
    for (const wallet of wallets) {
      const proof = await signed(stand, wallet, userId);
      await stepUp(stand, userId, proof);
      await assert.rejects(stepUp(stand, userId, proof), { code: 'auth.signature_invalid', reason: 'challenge_used' });
    }
  });

  test('401: a sign-in signature confirms no request, and a confirmation does not sign in', async () => {
    const stand = walletsStand(await open());
    const wallet = ethereumWallet();
    const user_id = await stand.verify(await stand.proof(wallet));
    const signsIn = await stand.proof(wallet);
    await assert.rejects(stepUp(stand, user_id, signsIn), WRONG);
    await assert.rejects(stand.verify(signsIn), { code: 'auth.signature_invalid', reason: 'challenge_used' });
    for (const asker of [{ user_id }, toLink(user_id)]) {
      const confirms = await stand.proof(wallet, asker);
      await assert.rejects(stand.verify(confirms), WRONG);
      await assert.rejects(stepUp(stand, user_id, confirms), {
        code: 'auth.signature_invalid',
        reason: 'challenge_used',
      });
    }
    const named = await stand.proof(wallet, { user_id, purpose: { operation: 'accounts.wallets.verify' } });
    assert.equal(await stand.verify(named), user_id);
  });

  test('401: a signature for one request confirms no other operation, path or account', async () => {
    const stand = walletsStand(await open());
    const wallet = solanaWallet();
    const userId = await stand.verify(await stand.proof(wallet));
    const otherId = await stand.verify(await stand.proof(solanaWallet()));
    const profile = `/api/users/${userId}`;
    const wrong: [operation: string, target: string][] = [
      ['accounts.users.delete', profile],
      [KEYS, keysOf(otherId)],
      ['accounts.apiKeys.list', keysOf(userId)],
    ];
    for (const [operation, target] of wrong)
      await assert.rejects(stepUp(stand, userId, await signed(stand, wallet, userId), operation, target), WRONG);
    await assert.rejects(stepUp(stand, otherId, await signed(stand, wallet, userId), KEYS, keysOf(userId)), WRONG);
  });

  test('a signature without a purpose confirms only the operations that the specification lists', async () => {
    const stand = walletsStand(await open());
    const wallet = solanaWallet();
    const user_id = await stand.verify(await stand.proof(wallet));
    const confirms = async (operation: string): Promise<boolean> => {
      const proof = await stand.proof(wallet, { user_id });
      return stepUp(stand, user_id, proof, operation, '/any').then(
        () => true,
        ({ code }) => {
          assert.equal(code, 'auth.signature_invalid');
          return false;
        },
      );
    };
    const signedFor = OPERATIONS.filter(({ access }) => access === 'sensitive' || access === 'fresh');
    const unnamed: string[] = [];
    for (const { id } of signedFor) if (await confirms(id)) unnamed.push(id);
    assert.deepEqual(unnamed.toSorted(), [...UNNAMED_OPERATIONS].toSorted());
    const listed =
      /^(POST \/api\/users\/lookup|GET \/api\/users\/\{id\}|(GET|POST) \/api\/users\/\{id\}\/api-keys|(GET|POST) \/api\/harnesses(\/.*)?|PUT \/api\/sessions\/connections\/\{id\}\/credentials)$/;
    assert.deepEqual(
      unnamed.toSorted(),
      signedFor
        .filter(({ method, path }) => listed.test(`${method} ${path}`))
        .map(({ id }) => id)
        .toSorted(),
    );
  });

  test('403: the wallet belongs to another account or to none, and the challenge is consumed', async () => {
    const stand = walletsStand(await open());
    const [mine, other, unknown] = [solanaWallet(), solanaWallet(), solanaWallet()];
    const userId = await stand.verify(await stand.proof(mine));
    await stand.verify(await stand.proof(other));
    for (const wallet of [other, unknown]) {
      const proof = await signed(stand, wallet, userId);
      await assert.rejects(stepUp(stand, userId, proof), { code: 'auth.wallet_required', reason: 'not_linked' });
      await assert.rejects(stepUp(stand, userId, proof), { code: 'auth.signature_invalid', reason: 'challenge_used' });
    }
  });

  test('401: an invalid signature, a used or an expired challenge', async () => {
    const stand = walletsStand(await open());
    const wallet = solanaWallet();
    const signedIn = await stand.proof(wallet);
    const userId = await stand.verify(signedIn);
    await assert.rejects(stepUp(stand, userId, signedIn), {
      code: 'auth.signature_invalid',
      reason: 'challenge_used',
    });
    const bad = { ...(await signed(stand, wallet, userId)), signature: signedIn.signature };
    await assert.rejects(stepUp(stand, userId, bad), { code: 'auth.signature_invalid', reason: 'signature' });
    const late = await signed(stand, wallet, userId);
    stand.clock.ms += 120_000;
    await assert.rejects(stepUp(stand, userId, late), { code: 'auth.signature_invalid', reason: 'challenge_expired' });
  });

  test('of 50 concurrent requests with one challenge, one is confirmed', async () => {
    const stand = walletsStand(await open());
    const wallet = ethereumWallet();
    const userId = await stand.verify(await stand.proof(wallet));
    const proof = await signed(stand, wallet, userId);
    const tries = Array.from({ length: 50 }, () => stepUp(stand, userId, proof));
    const outcomes = await Promise.allSettled(tries);
    assert.equal(outcomes.filter((outcome) => outcome.status === 'fulfilled').length, 1);
  });
});

test('a purpose confirms exactly the request that it names', () => {
  const name = fc.constantFrom('a.b', 'a.c', 'accounts.apiKeys.create');
  const request = fc.record({ user_id: name, operation: name, target: name });
  fc.assert(
    fc.property(request, request, (asked, wanted) => {
      const purpose: Purpose = { kind: 'request', ...asked };
      const same = JSON.stringify(asked) === JSON.stringify(wanted);
      if (same) checkConfirms(columnsOf(purpose), wanted);
      else assert.throws(() => checkConfirms(columnsOf(purpose), wanted), WRONG);
    }),
  );
});

test('the statement of every operation has only characters allowed by EIP-4361', () => {
  for (const { id } of OPERATIONS) {
    const purpose: Purpose = { kind: 'request', user_id: 'u', operation: id, target: '/' };
    assert.match(statementOf(purpose, OPERATIONS), /^[A-Za-z0-9 :/?#[\]@!$&'()*+,;=._~-]+$/, id);
  }
});
