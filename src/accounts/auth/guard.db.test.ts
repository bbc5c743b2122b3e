import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApiKey } from '#accounts/api-keys/api-keys.ts';
import { addWallet } from '#accounts/users/identities.ts';
import { changeUser } from '#accounts/users/users.ts';
import type { Access, OperationBase } from '#core/http/operation.ts';
import { Problem } from '#core/problem/problem.ts';
import { authStand, STAND_URL } from '#test/auth-stand.ts';
import { eachDatabase } from '#test/databases.ts';
import { createStepUp } from './step-up.ts';

const asking = (method: 'GET' | 'POST', more: Partial<OperationBase> = {}): OperationBase =>
  ({ id: 'any.thing', method, access: 'jwt', ...more }) as OperationBase;

const code = (is: string) => (error: { code?: string }) => error.code === is;

/** Operations that are not a protected resource themselves name the metadata of the whole service. */
const METADATA = `${STAND_URL}/.well-known/oauth-protected-resource`;

eachDatabase('the guard', (open) => {
  test('accepts a token only as Bearer in the Authorization header', async () => {
    const { auth, signUp } = await authStand(await open());
    const { user, token } = await signUp();
    const admit = (authorization?: string | string[]) =>
      auth.guard.admit(asking('GET'), authorization === undefined ? {} : ({ authorization } as never));
    for (const header of [`Bearer ${token}`, `bearer ${token}`, `BEARER  ${token} `])
      assert.equal((await admit(header)).user_id, user.id);
    for (const header of [undefined, '', `Basic ${token}`, token, [`Bearer ${token}`]])
      await assert.rejects(admit(header), code('auth.token_required'), String(header));
    for (const header of ['Bearer', `Bearer ${token} ${token}`, `Bearer ${token},`, `Bearer "${token}"`])
      await assert.rejects(admit(header), code('auth.token_invalid'), header);
  });

  test('requires scope read for GET, write for other methods, or the scope that the operation declares', async () => {
    const database = await open();
    const { auth, signUp } = await authStand(database);
    const { user } = await signUp({ tier: 'pro' });
    const keyOf = async (scopes: readonly ('read' | 'write' | 'admin')[]) =>
      (await createApiKey(database.db, { user_id: user.id, name: 'k', scopes, expires_at: null }, user.created_at)).key;
    const [reader, writer] = [await keyOf(['read']), await keyOf(['write'])];
    const admit = (key: string, operation: OperationBase) =>
      auth.guard.admit(operation, { authorization: `Bearer ${key}` });
    assert.deepEqual((await admit(reader, asking('GET'))).scopes, ['read']);
    assert.equal((await admit(writer, asking('POST'))).api_key_id === null, false);
    assert.deepEqual((await admit(reader, asking('POST', { scope: 'read' }))).scopes, ['read']);
    for (const [key, operation, scope] of [
      [reader, asking('POST'), 'write'],
      [writer, asking('GET'), 'read'],
      [writer, asking('POST', { scope: 'admin' }), 'admin'],
    ] as const)
      await assert.rejects(admit(key, operation), {
        code: 'auth.insufficient_scope',
        headers: {
          'www-authenticate': `Bearer realm="capstan", error="insufficient_scope", scope="${scope}", resource_metadata="${METADATA}"`,
        },
      });
  });

  test('grants the scopes of the token that the current tier also has', async () => {
    const database = await open();
    const { auth, signUp, signIn } = await authStand(database);
    const { user, token } = await signUp({ tier: 'pro' });
    const scopes = async (accessToken: string) =>
      (await auth.guard.admit(asking('GET'), { authorization: `Bearer ${accessToken}` })).scopes;
    assert.deepEqual(await scopes(token), ['read', 'write', 'admin']);
    const free = await changeUser(database.db, user.id, { tier: 'free' }, user.created_at);
    assert.deepEqual(await scopes(token), ['read', 'write']);
    const { access_token } = await signIn(free as typeof user);
    await changeUser(database.db, user.id, { tier: 'pro' }, user.created_at);
    assert.deepEqual(await scopes(access_token), ['read', 'write'], 'an old token does not grow with the tier');
    assert.deepEqual(await scopes(token), ['read', 'write', 'admin']);
  });

  test('a suspended account is refused with the reason, except to see it, to export its data and to leave', async () => {
    const database = await open();
    const { db } = database;
    const { auth, signUp } = await authStand(database);
    const { user, token } = await signUp();
    const { key } = await createApiKey(
      db,
      { user_id: user.id, name: 'k', scopes: ['read'], expires_at: null },
      user.created_at,
    );
    const suspend = (suspended_at: string | null) =>
      changeUser(db, user.id, { suspended_at, suspended_reason: 'It sends spam.' }, user.created_at);
    await suspend(user.created_at);
    for (const credential of [token, key]) {
      const admit = (more = {}) => auth.guard.admit(asking('GET', more), { authorization: `Bearer ${credential}` });
      const said = (error: unknown) =>
        error instanceof Problem &&
        error.code === 'users.forbidden' &&
        /suspended: It sends spam\./.test(error.message);
      await assert.rejects(admit(), said);
      assert.equal((await admit({ for_suspended: true })).user_id, user.id);
      await suspend(null);
      assert.equal((await admit()).user_id, user.id);
      await suspend(user.created_at);
    }
  });

  test('rejects a token whose session belongs to another user', async () => {
    const database = await open();
    const { auth, signUp } = await authStand(database);
    const { token } = await signUp();
    const { user: other } = await signUp();
    await database.db.updateTable('sign_ins').set({ user_id: other.id }).execute();
    const admitted = auth.guard.admit(asking('GET'), { authorization: `Bearer ${token}` });
    await assert.rejects(admitted, code('auth.token_invalid'));
  });

  test('step-up requires a signature if the account has a wallet, else a sign-in of the last ten minutes', async () => {
    const { db, ...database } = await open();
    const { clock, signUp } = await authStand({ db, ...database });
    const { user } = await signUp();
    const asked: unknown[] = [];
    const stepUp = createStepUp({ db, clock, verifyStepUp: async (stepUpProof) => void asked.push(stepUpProof) });
    const caller = { user_id: user.id, sign_in_id: 's', signed_in_at_ms: clock.ms as number | null };
    const ask = (access: Access, headers = {}, more = {}) =>
      stepUp(asking('POST', { access }), { ...caller, ...more } as never, {
        headers,
        target: '/x',
        fields: 'name=x',
        origin: { request_id: 'r', address: '::1' },
      });
    const proof = { 'x-challenge-id': 'c', 'x-wallet-signature': 's' };

    await ask('jwt');
    await assert.rejects(ask('sensitive', proof), code('auth.wallet_required'));
    clock.ms += 600_000;
    await ask('fresh');
    clock.ms += 1;
    await assert.rejects(ask('fresh', proof), code('auth.sign_in_required'));
    await assert.rejects(ask('fresh', {}, { signed_in_at_ms: null }), code('auth.sign_in_required'));
    assert.deepEqual(asked, []);

    await addWallet(db, { wallet_type: 'ethereum', address: '0xAa', user_id: user.id, linked_at: user.created_at });
    for (const access of ['sensitive', 'fresh'] as const) {
      for (const headers of [{}, { 'x-challenge-id': 'c' }, { 'x-wallet-signature': 's' }])
        await assert.rejects(ask(access, headers, { signed_in_at_ms: clock.ms }), code('auth.signature_required'));
      await ask(access, proof);
    }
    const request = { operation: 'any.thing', target: '/x', fields: 'name=x', window: undefined, sign_in_id: 's' };
    const expected = { user_id: user.id, ...request, challenge_id: 'c', signature: 's' };
    assert.deepEqual(asked, [expected, expected]);
  });
});
