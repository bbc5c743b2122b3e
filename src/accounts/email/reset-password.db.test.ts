import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { type EmailStand, emailStand, OTHER_PASSWORD, PASSWORD } from '#test/email-stand.ts';

const EMAIL = 'ada@example.org';
async function asked(stand: EmailStand): Promise<string> {
  await stand.post('/reset/request', { email: EMAIL });
  return stand.mailed('reset');
}

eachDatabase('POST /api/auth/email/reset', (open) => {
  test('200: sets the password, ends every session, and notifies the owner', async () => {
    const stand = await emailStand(await open());
    const { access_token } = await stand.open(EMAIL);
    const answer = await stand.post('/reset', { token: await asked(stand), password: OTHER_PASSWORD });
    assert.deepEqual([answer.status, answer.body], [200, { status: 'password_changed' }]);
    assert.match((await stand.mail()).subject, /password was changed/);
    assert.equal((await stand.ask('GET', '/api/auth/session', { token: access_token })).status, 401);
    assert.equal((await stand.login(EMAIL, PASSWORD)).status, 401);
    assert.equal((await stand.login(EMAIL, OTHER_PASSWORD)).status, 200);
  });

  test('401: a link works once within an hour, and using it invalidates earlier ones', async () => {
    const stand = await emailStand(await open());
    await stand.open(EMAIL);
    const [first, second] = [await asked(stand), await asked(stand)];
    const code = async (token: string) =>
      (await stand.post('/reset', { token, password: OTHER_PASSWORD })).body.code ?? 'done';
    assert.equal(await code(second), 'done');
    assert.equal(await code(second), 'auth.email_link_invalid');
    assert.equal(await code(first), 'auth.email_link_invalid');
    await stand.deliver();
    const late = await asked(stand);
    stand.clock.ms += 3_600_001;
    assert.equal(await code(late), 'auth.email_link_invalid');
    assert.equal(await code('x'), 'auth.email_link_invalid');
  });

  test('of six concurrent uses of one link, one sets the password', async () => {
    const stand = await emailStand(await open());
    await stand.open(EMAIL);
    const token = await asked(stand);
    const passwords = Array.from({ length: 6 }, (_, index) => `${PASSWORD} ${index}`);
    const answers = await Promise.all(passwords.map((password) => stand.post('/reset', { token, password })));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    const winner = answers.findIndex(({ status }) => status === 200);
    assert.equal((await stand.login(EMAIL, passwords[winner])).status, 200);
  });

  test('no session started concurrently with the old password survives the reset', async () => {
    const stand = await emailStand(await open());
    await stand.open(EMAIL);
    const reset = stand.post('/reset', { token: await asked(stand), password: OTHER_PASSWORD });
    const logins = await Promise.all(Array.from({ length: 8 }, () => stand.login(EMAIL, PASSWORD)));
    assert.equal((await reset).status, 200);
    for (const { body } of logins) {
      const { access_token: token = 'none' } = body as { access_token?: string };
      assert.equal((await stand.ask('GET', '/api/auth/session', { token })).status, 401);
    }
  });

  test('400: a weak password does not consume the link', async () => {
    const stand = await emailStand(await open());
    await stand.open(EMAIL);
    const token = await asked(stand);
    const weak = await stand.post('/reset', { token, password: 'ada@example.org' });
    assert.deepEqual([weak.status, weak.body.code, weak.body.reason], [400, 'http.invalid', 'input']);
    assert.equal((await stand.post('/reset', { token, password: OTHER_PASSWORD })).status, 200);
  });

  test('401: links of an address that was removed from the account do nothing', async () => {
    const database = await open();
    const stand = await emailStand(database);
    const { access_token, user } = await stand.open(EMAIL);
    const google = { subject: 'g', user_id: user.id, email: '', linked_at: user.created_at };
    await database.db.insertInto('google_accounts').values(google).execute();
    const token = await asked(stand);
    assert.equal((await stand.ask('DELETE', '/api/auth/email', { token: access_token })).status, 200);
    const { body } = await stand.post('/reset', { token, password: OTHER_PASSWORD });
    assert.deepEqual([body.code, body.reason], ['auth.email_link_invalid', 'used']);
  });
});
