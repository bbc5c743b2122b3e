import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { emailStand, OTHER_PASSWORD, PASSWORD } from '#test/email-stand.ts';

const EMAIL = 'ada@example.org';
const change = { current_password: PASSWORD, new_password: OTHER_PASSWORD };

eachDatabase('POST /api/auth/email/password', (open) => {
  test('200: changes the password, ends all other sessions, and notifies the owner', async () => {
    const stand = await emailStand(await open());
    const { access_token: here } = await stand.open(EMAIL);
    const { access_token: there } = (await stand.login(EMAIL)).body as unknown as { access_token: string };
    await stand.post('/reset/request', { email: EMAIL });
    const link = await stand.mailed('reset');
    assert.equal((await stand.post('/password', change, here)).status, 200);
    assert.match((await stand.mail()).subject, /password was changed/);
    const session = async (token: string) => (await stand.ask('GET', '/api/auth/session', { token })).status;
    assert.deepEqual([await session(here), await session(there)], [200, 401]);
    assert.deepEqual(
      [(await stand.login(EMAIL)).status, (await stand.login(EMAIL, OTHER_PASSWORD)).status],
      [401, 200],
    );
    const late = await stand.post('/reset', { token: link, password: PASSWORD });
    assert.deepEqual(
      [late.body.code, late.body.reason],
      ['auth.email_link_invalid', 'used'],
      'a link asked for before does nothing',
    );
  });

  test('403: wrong current password; 429 after ten an hour, counted separately from sign-ins', async () => {
    const stand = await emailStand(await open());
    const { access_token } = await stand.open(EMAIL);
    const wrong = { ...change, current_password: 'something else' };
    for (let times = 0; times < 10; times++) {
      const { status, body } = await stand.post('/password', wrong, access_token);
      assert.deepEqual([status, body.code], [403, 'auth.password_invalid']);
    }
    const refused = await stand.post('/password', change, access_token);
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.reason],
      [429, 'auth.limit_exceeded', 'failed_logins'],
    );
    assert.equal((await stand.login(EMAIL)).status, 200);
  });

  test('200: works while failed sign-ins by others cause 429', async () => {
    const stand = await emailStand(await open());
    const { access_token } = await stand.open(EMAIL);
    for (let times = 0; times < 12; times++) await stand.login(EMAIL, 'something else');
    assert.equal((await stand.login(EMAIL)).status, 429);
    assert.equal((await stand.post('/password', change, access_token)).status, 200);
  });

  test('of five concurrent changes, one succeeds', async () => {
    const stand = await emailStand(await open());
    const { access_token } = await stand.open(EMAIL);
    const passwords = Array.from({ length: 5 }, (_, index) => `${OTHER_PASSWORD} ${index}`);
    const answers = await Promise.all(
      passwords.map((new_password) => stand.post('/password', { ...change, new_password }, access_token)),
    );
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  });

  test('400: weak password; 401: no token; 403: old sign-in; 404: no email address', async () => {
    const stand = await emailStand(await open());
    const { access_token } = await stand.open(EMAIL);
    const weak = await stand.post('/password', { ...change, new_password: '12345678' }, access_token);
    assert.deepEqual([weak.status, weak.body.code, weak.body.reason], [400, 'http.invalid', 'input']);
    assert.equal((await stand.post('/password', change)).status, 401);
    const { token } = await stand.signUp({ method: 'google' });
    assert.equal((await stand.post('/password', change, token)).body.code, 'auth.not_found');
    stand.clock.ms += 11 * 60_000;
    assert.equal((await stand.post('/password', change, access_token)).body.code, 'auth.sign_in_required');
  });
});
