import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newSecrets, randomToken, saveFlow, takeFlow } from '#accounts/google/flows.ts';
import { eachDatabase } from '#test/databases.ts';
import { emailStand, PASSWORD } from '#test/email-stand.ts';
import { listSignIns } from './sign-ins.ts';

eachDatabase('ending sessions', (open) => {
  /** An owner, and a thief who has another session of the account and has requested a link to their own address. */
  async function withThief() {
    const database = await open();
    const stand = await emailStand(database);
    const { user, token } = await stand.signUp({ method: 'google' });
    const { access_token: stolen } = await stand.signIn(user, { method: 'google' });
    await stand.post('', { email: 'thief@example.org', password: PASSWORD }, stolen);
    const link = { token: await stand.mailed('link'), password: PASSWORD };
    const flow = { ...newSecrets(), browser: randomToken(), user_id: user.id, return_to: null };
    await saveFlow(database, flow, stand.clock.ms);
    const [thief] = (await listSignIns(database.db, user.id, '', { limit: 1, offset: 0 })).items;
    return {
      ...stand,
      token,
      stolen,
      thief_id: thief?.id,
      open: async () => (await stand.post('/verify', link)).body.code,
      comeBack: () => takeFlow(database.db, flow.state, flow.browser, stand.clock.ms),
    };
  }

  test('ending a session invalidates the links requested in it', async () => {
    for (const path of ['/api/auth/sessions', '/api/auth/sessions/{id}']) {
      const { ask, token, open, comeBack, stolen, thief_id } = await withThief();
      const ended = await ask('DELETE', path.replace('{id}', `${thief_id}`), { token });
      assert.equal(ended.status, 200);
      assert.equal((await ask('GET', '/api/auth/session', { token: stolen })).status, 401);
      assert.equal(await open(), 'auth.email_link_invalid');
      await assert.rejects(comeBack(), { code: 'auth.google_sign_in_invalid', reason: 'unknown' });
    }
  });

  test('reusing a replaced token invalidates the links requested in its session', async () => {
    const { ask, stolen, open, clock } = await withThief();
    assert.equal((await ask('POST', '/api/auth/refresh', { token: stolen })).status, 200);
    clock.ms += 61_000;
    assert.equal((await ask('POST', '/api/auth/refresh', { token: stolen })).status, 401);
    assert.equal(await open(), 'auth.email_link_invalid');
  });

  test('logging out keeps the links requested in the session', async () => {
    const { ask, stolen, open } = await withThief();
    assert.equal((await ask('POST', '/api/auth/logout', { token: stolen })).status, 200);
    assert.equal(await open(), undefined);
  });

  test('409: no session starts for an identity that no longer belongs to the account', async () => {
    const { db, ...database } = await open();
    const stand = await emailStand({ db, ...database });
    const { user } = await stand.signUp();
    const known = { user, method: 'wallet', wallet: 'eip155:1:0x', user_agent: '' } as const;
    const start = (stillLeads: boolean) => stand.auth.startSignIn({ ...known, stillLeads: async () => stillLeads });
    await assert.rejects(start(false), { code: 'auth.identity_conflict', reason: 'account_changed', status: 409 });
    await start(true);
    assert.equal((await listSignIns(db, user.id, '', { limit: 9, offset: 0 })).total_count, 2);
    await db.deleteFrom('users').where('id', '=', user.id).execute();
    await assert.rejects(start(true), { code: 'auth.identity_conflict', reason: 'account_changed' });
  });
});
