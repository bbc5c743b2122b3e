import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { OPERATIONS } from '#app/contract.ts';
import type { OperationBase } from '#core/http/operation.ts';
import { signedFields } from '#core/http/signed-fields.ts';
import { eachDatabase } from '#test/databases.ts';
import { ethereumWallet, solanaWallet, type TestWallet } from '#test/wallet-keys.ts';
import { type Proof, toLink, type WalletsStand, walletsStand } from '#test/wallets-stand.ts';
import {
  checkConfirms,
  checkSignsIn,
  columnsOf,
  isSigned,
  type Purpose,
  statementOf,
  UNNAMED_OPERATIONS,
} from './purpose.ts';
import { verifyStepUp } from './step-up.ts';
import { WINDOWS } from './windows.ts';

const KEYS = 'accounts.apiKeys.create';
const keysOf = (userId: string): string => `/api/users/${userId}/api-keys`;

const BODY = { name: 'nightly build', scopes: ['read', 'write'] };

/** A signature of this wallet for creating an API key. */
const signed = (stand: WalletsStand, wallet: TestWallet, user_id: string): Promise<Proof> =>
  stand.proof(wallet, { user_id, purpose: { operation: KEYS, target: keysOf(user_id), fields: BODY } });

function stepUp(
  { deps }: WalletsStand,
  user_id: string,
  { challenge_id, signature }: Proof,
  id = KEYS,
  target = keysOf(user_id),
  { body = BODY as unknown, sign_in_id = 's' as string | null } = {},
) {
  const operation = operationOf(id);
  const request = { user_id, operation: id, target, fields: signedFields(operation, body), sign_in_id };
  return verifyStepUp(deps, { ...request, window: operation.confirm_window, challenge_id, signature });
}

const operationOf = (id: string): OperationBase => OPERATIONS.find((operation) => operation.id === id) as OperationBase;

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

  test('401: a signature for one API key creates no other: name, scopes and expiry are signed', async () => {
    const stand = walletsStand(await open());
    const wallet = solanaWallet();
    const userId = await stand.verify(await stand.proof(wallet));
    const others = [
      { ...BODY, name: 'other' },
      { ...BODY, scopes: ['read', 'write', 'admin'] },
      { ...BODY, scopes: ['read,write'] },
      { ...BODY, expires_at: '2027-01-01T00:00:00.000Z' },
      { scopes: BODY.scopes },
    ];
    for (const body of others) {
      const proof = await signed(stand, wallet, userId);
      await assert.rejects(stepUp(stand, userId, proof, KEYS, keysOf(userId), { body }), WRONG);
    }
    await stepUp(stand, userId, await signed(stand, wallet, userId), KEYS, keysOf(userId), {
      body: { expires_at: null, scopes: BODY.scopes, name: BODY.name },
    });
  });

  test('one confirmation covers the requests of its window for its minutes, in its session', async () => {
    const stand = walletsStand(await open());
    const wallet = ethereumWallet();
    const user_id = await stand.verify(await stand.proof(wallet));
    const window = () => stand.proof(wallet, { user_id, purpose: { operation: KEYS, minutes: 10 } });
    const inWindow = async (proof: Proof, { id = KEYS, sign_in_id = 's' as string | null } = {}) =>
      stepUp(stand, user_id, proof, id, keysOf(user_id), { sign_in_id });
    const proof = await window();
    for (const id of [KEYS, 'accounts.apiKeys.list', 'accounts.apiKeys.delete', KEYS]) await inWindow(proof, { id });
    stand.clock.ms += 599_999;
    await inWindow(proof);
    stand.clock.ms += 1;
    await assert.rejects(inWindow(proof), { ...WRONG, reason: 'challenge_expired' });
    const wrong = [
      { id: 'accounts.users.delete' },
      { id: 'accounts.users.get' },
      { sign_in_id: 't' },
      { sign_in_id: null },
    ];
    for (const use of wrong) {
      const other = await window();
      await assert.rejects(inWindow(other, use), { ...WRONG, reason: 'purpose' });
      await assert.rejects(inWindow(other), { ...WRONG, reason: 'challenge_used' }, 'a failure ends the window');
    }
    const forged = { ...(await window()), signature: proof.signature };
    await assert.rejects(inWindow(forged), { ...WRONG, reason: 'signature' });
    await assert.rejects(inWindow(forged), { ...WRONG, reason: 'challenge_used' });
    await assert.rejects(stand.verify(await window()), WRONG);
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

/** Every use of a signature: to sign in, or to confirm one of the operations that are signed. */
const USES = [null, ...OPERATIONS.filter(isSigned)];

test('over all pairs, a signature for one purpose is refused for every other', () => {
  const request = (operation: OperationBase) => ({
    user_id: 'u',
    operation: operation.id,
    target: `/${operation.id}`,
    fields: signedFields(operation, operation.body_example),
    window: operation.confirm_window,
    sign_in_id: 's',
  });
  const purposes: Purpose[] = [
    { kind: 'sign_in' },
    { kind: 'sensitive', user_id: 'u' },
    ...Object.keys(WINDOWS).map((window) => ({
      kind: 'window' as const,
      user_id: 'u',
      window,
      minutes: 10,
      sign_in_id: 's',
    })),
    ...USES.flatMap((use) => (use === null ? [] : [{ kind: 'request' as const, ...request(use) }])),
  ];
  const isMeant = (purpose: Purpose, use: OperationBase | null): boolean => {
    if (use === null || purpose.kind === 'sign_in') return use === null && purpose.kind === 'sign_in';
    if (purpose.kind === 'sensitive') return UNNAMED_OPERATIONS.includes(use.id);
    if (purpose.kind === 'window') return use.confirm_window === purpose.window;
    return purpose.operation === use.id;
  };
  for (const purpose of purposes)
    for (const use of USES) {
      const kept = columnsOf(purpose);
      const check = () => (use === null ? checkSignsIn(kept) : checkConfirms(kept, request(use)));
      const name = `${JSON.stringify(purpose)} for ${use?.id ?? 'signing in'}`;
      if (isMeant(purpose, use)) assert.doesNotThrow(check, name);
      else assert.throws(check, WRONG, name);
    }
});

test('every window has operations that a session may repeat, and none that could lock out the owner', () => {
  const windows = OPERATIONS.flatMap(({ confirm_window }) => confirm_window ?? []);
  assert.deepEqual([...new Set(windows)].toSorted(), Object.keys(WINDOWS).toSorted());
  const locking = OPERATIONS.filter(({ id }) =>
    /^accounts\.(wallets|email|google|deviceKeys|users\.(delete|export))/.test(id),
  );
  assert.deepEqual(
    locking.filter(({ confirm_window }) => confirm_window !== undefined),
    [],
  );
});

test('a purpose confirms exactly the request that it names', () => {
  const name = fc.constantFrom('a.b', 'a.c', 'accounts.apiKeys.create');
  const fields = fc.constantFrom('name=a&scopes=read', 'name=a', null);
  const request = fc.record({ user_id: name, operation: name, target: name, fields });
  fc.assert(
    fc.property(request, request, (asked, wanted) => {
      const purpose: Purpose = { kind: 'request', ...asked };
      const same = JSON.stringify(asked) === JSON.stringify(wanted);
      if (same) checkConfirms(columnsOf(purpose), wanted);
      else assert.throws(() => checkConfirms(columnsOf(purpose), wanted), WRONG);
    }),
  );
});

const STATEMENT = /^[A-Za-z0-9 :/?#[\]@!$&'()*+,;=._~-]+$/;

test('the statement of every operation has only characters allowed by EIP-4361', () => {
  for (const { id } of OPERATIONS) {
    const purpose: Purpose = {
      kind: 'request',
      user_id: 'u',
      operation: id,
      target: '/',
      fields: 'name=%22%C3%A4%0A%25',
    };
    assert.match(statementOf(purpose, OPERATIONS), STATEMENT, id);
  }
  for (const window of Object.keys(WINDOWS))
    assert.match(statementOf({ kind: 'window', user_id: 'u', window, minutes: 10, sign_in_id: 's' }, []), STATEMENT);
});
