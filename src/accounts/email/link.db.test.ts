import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { emailStand, OTHER_PASSWORD, PASSWORD } from '#test/email-stand.ts';

const link = { email: 'ada@example.org', password: PASSWORD };

eachDatabase('POST /api/auth/email', (open) => {
  test('202, then 200 for the emailed link: the address signs in to this account', async () => {
    const stand = await emailStand(await open());
    const { user, token } = await stand.signUp({ method: 'google' });
    const asked = await stand.post('', link, token);
    assert.deepEqual([asked.status, asked.body], [202, { status: 'verification_sent' }]);
    assert.equal((await stand.login(link.email)).status, 401, 'not before it is confirmed');
    const verified = await stand.post('/verify', { token: await stand.mailed('link'), password: PASSWORD });
    assert.equal(verified.status, 200);
    const signedIn = (await stand.login(link.email)).body as unknown as { user: { id: string } };
    assert.equal(signedIn.user.id, user.id);
  });

  test('401: the emailed link requires the password chosen for it', async () => {
    const stand = await emailStand(await open());
    const { token } = await stand.signUp({ method: 'google' });
    await stand.post('', link, token);
    const mailed = await stand.mailed('link');
    const answer = await stand.post('/verify', { token: mailed, password: OTHER_PASSWORD });
    assert.deepEqual([answer.status, answer.body.code], [401, 'auth.credentials_invalid']);
    assert.equal((await stand.post('/verify', { token: mailed, password: PASSWORD })).status, 200);
  });

  test('202: for an address with an account, the response is the same, and only its owner is notified', async () => {
    const { db, ...database } = await open();
    const stand = await emailStand({ db, ...database });
    const owner = await stand.open(link.email);
    const { token } = await stand.signUp({ method: 'google' });
    const asked = await stand.post('', { ...link, password: OTHER_PASSWORD }, token);
    assert.deepEqual([asked.status, asked.body], [202, { status: 'verification_sent' }]);
    const { to, subject, text } = await stand.mail();
    assert.equal(to, link.email);
    assert.match(subject, /already/);
    assert.doesNotMatch(text, /#/);
    const emails = await db.selectFrom('emails').select('user_id').execute();
    assert.deepEqual(emails, [{ user_id: owner.user.id }]);
  });

  test('409: an account has one address, and of two concurrent confirmations one succeeds', async () => {
    const { db, ...database } = await open();
    const stand = await emailStand({ db, ...database });
    const { token } = await stand.signUp({ method: 'google' });
    await stand.post('', link, token);
    const one = await stand.mailed('link');
    await stand.post('', { ...link, email: 'eve@example.org' }, token);
    const two = await stand.mailed('link');
    const answers = await Promise.all([one, two].map((token) => stand.post('/verify', { token, password: PASSWORD })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
    assert.ok(answers.some(({ body }) => body.code === 'auth.identity_conflict'));
    assert.equal((await db.selectFrom('emails').selectAll().execute()).length, 1);
    const third = await stand.post('', { ...link, email: 'mia@example.org' }, token);
    assert.deepEqual(
      [third.status, third.body.code, third.body.reason],
      [409, 'auth.identity_conflict', 'email_linked'],
    );
  });

  test('401: no token; 403: old sign-in', async () => {
    const stand = await emailStand(await open());
    assert.equal((await stand.post('', link)).status, 401);
    const { token } = await stand.signUp({ method: 'google' });
    stand.clock.ms += 11 * 60_000;
    assert.equal((await stand.post('', link, token)).body.code, 'auth.sign_in_required');
  });
});
