import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { emailStand } from '#test/email-stand.ts';

const EMAIL = 'ada@example.org';

eachDatabase('DELETE /api/auth/email', (open) => {
  test('200: the address no longer signs in, other sessions end, and the owner is notified', async () => {
    const { db, ...database } = await open();
    const stand = await emailStand({ db, ...database });
    const { access_token: here, user } = await stand.open(EMAIL);
    const { access_token: there } = (await stand.login(EMAIL)).body as unknown as { access_token: string };
    const google = { subject: 'g', user_id: user.id, email: '', linked_at: user.created_at };
    await db.insertInto('google_accounts').values(google).execute();
    const unlink = () => stand.ask('DELETE', '/api/auth/email', { token: here });
    const answer = await unlink();
    assert.deepEqual([answer.status, answer.body], [200, { status: 'deleted' }]);
    const { to, subject } = await stand.mail();
    assert.deepEqual([to, /removed/.test(subject)], [EMAIL, true]);
    assert.equal((await stand.login(EMAIL)).status, 401);
    assert.equal((await stand.ask('GET', '/api/auth/session', { token: there })).status, 401);
    assert.equal((await unlink()).body.code, 'auth.not_found');
  });

  test('409: the last sign-in method cannot be removed', async () => {
    const stand = await emailStand(await open());
    const { access_token } = await stand.open(EMAIL);
    const { status, body } = await stand.ask('DELETE', '/api/auth/email', { token: access_token });
    assert.deepEqual([status, body.code, body.reason], [409, 'auth.identity_conflict', 'last_identity']);
    assert.equal((await stand.login(EMAIL)).status, 200);
  });

  test('401: no token; 403: old sign-in', async () => {
    const stand = await emailStand(await open());
    const { access_token } = await stand.open(EMAIL);
    assert.equal((await stand.ask('DELETE', '/api/auth/email')).status, 401);
    stand.clock.ms += 11 * 60_000;
    const { body } = await stand.ask('DELETE', '/api/auth/email', { token: access_token });
    assert.deepEqual([body.code, body.reason], ['auth.sign_in_required', 'recent']);
  });
});
