import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findUser } from '#accounts/users/users.ts';
import { authStand } from '#test/auth-stand.ts';
import { eachDatabase } from '#test/databases.ts';
import { newWork } from './proof-of-work.ts';

eachDatabase('POST /api/auth/proof-of-work/answer', (open) => {
  test('200: proves the account permanently; 400: a challenge of another account, or an expired one', async () => {
    const { db, ...database } = await open();
    const stand = await authStand({ db, ...database });
    const { user, token } = await stand.signUp();
    await db.updateTable('users').set({ unproven_network: '192.0.2.0/24' }).where('id', '=', user.id).execute();
    const answer = async (of: string, atMs: number) => {
      // Without work, whose amount another test covers.
      const { challenge } = newWork(stand.auth.deps.keys, of, 0, atMs);
      const { status, body } = await stand.ask('POST', '/api/auth/proof-of-work/answer', {
        token,
        body: { challenge, nonce: '0' },
      });
      return status === 200 ? (body as { status?: unknown }).status : body.code;
    };
    const isProven = async () => (await findUser(db, user.id))?.unproven_network === null;
    assert.equal(await answer('another', stand.clock.ms), 'auth.proof_of_work_invalid');
    assert.equal(await answer(user.id, stand.clock.ms - 600_000), 'auth.proof_of_work_invalid');
    assert.equal(await isProven(), false);
    assert.equal(await answer(user.id, stand.clock.ms), 'proven');
    assert.equal(await isProven(), true);
    assert.equal(await answer(user.id, stand.clock.ms), 'proven');
  });

  test('confirming an email address also proves an account', async () => {
    const { db, ...database } = await open();
    const stand = await authStand({ db, ...database });
    const { user, token } = await stand.signUp();
    await db.updateTable('users').set({ unproven_network: '192.0.2.0/24' }).where('id', '=', user.id).execute();
    const password = 'correct horse battery';
    const link = { token, body: { email: 'ada@example.org', password } };
    assert.equal((await stand.ask('POST', '/api/auth/email', link)).status, 202);
    const [mail] = await stand.deliver();
    const code = /#link=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? '';
    assert.notEqual((await findUser(db, user.id))?.unproven_network, null);
    const verified = await stand.ask('POST', '/api/auth/email/verify', { body: { token: code, password } });
    assert.equal(verified.status, 200);
    assert.equal((await findUser(db, user.id))?.unproven_network, null);
  });
});
