import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { emailStand, OTHER_PASSWORD, PASSWORD } from '#test/email-stand.ts';

const register = { email: 'ada@example.org', password: PASSWORD, display_name: 'Ada' };

eachDatabase('POST /api/auth/email/verify', (open) => {
  test('200: creates the account and signs in', async () => {
    const stand = await emailStand(await open());
    await stand.post('/register', register);
    const { status, body } = await stand.post('/verify', { token: await stand.mailed('verify'), password: PASSWORD });
    assert.equal(status, 200);
    const { access_token, user } = body as { access_token: string; user: { display_name: string; tier: string } };
    assert.deepEqual([user.display_name, user.tier], ['Ada', 'free']);
    const session = await stand.ask('GET', '/api/auth/session', { token: access_token });
    assert.equal(session.status, 200);
    assert.equal((await stand.login('ada@example.org')).status, 200);
  });

  test('401: unknown, used and expired links are rejected', async () => {
    const stand = await emailStand(await open());
    const code = async (token: string) => {
      const { status, body } = await stand.post('/verify', { token, password: PASSWORD });
      return [status, body.code];
    };
    assert.deepEqual(await code('x'.repeat(43)), [401, 'auth.email_link_invalid']);
    await stand.post('/register', register);
    const used = await stand.mailed('verify');
    assert.equal((await code(used))[0], 200);
    assert.deepEqual(await code(used), [401, 'auth.email_link_invalid']);
    await stand.post('/register', { ...register, email: 'eve@example.org' });
    const late = await stand.mailed('verify');
    stand.clock.ms += 24 * 3_600_000 + 1;
    assert.deepEqual(await code(late), [401, 'auth.email_link_invalid']);
    assert.equal((await stand.login('eve@example.org')).status, 401);
  });

  test('401: opening a link requires the password chosen at registration', async () => {
    const database = await open();
    const stand = await emailStand(database);
    await stand.post('/register', { ...register, password: OTHER_PASSWORD });
    const token = await stand.mailed('verify');
    const without = await stand.post('/verify', { token });
    assert.deepEqual([without.status, without.body.code, without.body.reason], [400, 'http.invalid', 'input']);
    const wrong = await stand.post('/verify', { token, password: PASSWORD });
    assert.deepEqual([wrong.status, wrong.body.code], [401, 'auth.credentials_invalid']);
    assert.deepEqual(await database.db.selectFrom('users').selectAll().execute(), []);
    // After a wrong password, the link still accepts the right one.
    assert.equal((await stand.post('/verify', { token, password: OTHER_PASSWORD })).status, 200);
  });

  test('429: wrong passwords for a link are limited like sign-ins', async () => {
    const stand = await emailStand(await open());
    await stand.post('/register', register);
    const token = await stand.mailed('verify');
    const statuses: number[] = [];
    for (let tries = 0; tries < 11; tries++)
      statuses.push((await stand.post('/verify', { token, password: OTHER_PASSWORD })).status);
    assert.deepEqual(statuses, [...Array(10).fill(401), 429]);
  });

  test('401: a password reset link does not confirm a registration', async () => {
    const stand = await emailStand(await open());
    await stand.open('ada@example.org');
    await stand.post('/reset/request', { email: 'ada@example.org' });
    const { body } = await stand.post('/verify', { token: await stand.mailed('reset'), password: PASSWORD });
    assert.deepEqual([body.code, body.reason], ['auth.email_link_invalid', 'unknown']);
  });

  test('of ten concurrent uses of one link, one creates the account', async () => {
    const database = await open();
    const stand = await emailStand(database);
    await stand.post('/register', register);
    const token = await stand.mailed('verify');
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => stand.post('/verify', { token, password: PASSWORD })),
    );
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    assert.ok(answers.every(({ status }) => [200, 401].includes(status)));
    assert.equal((await database.db.selectFrom('users').selectAll().execute()).length, 1);
  });

  test('of three concurrent links to one address, one creates the account', async () => {
    const database = await open();
    const stand = await emailStand(database);
    const links: { token: string; password: string }[] = [];
    for (const password of [PASSWORD, OTHER_PASSWORD, `${PASSWORD}!`]) {
      await stand.post('/register', { ...register, password });
      links.push({ token: await stand.mailed('verify'), password });
    }
    const answers = await Promise.all(links.map((link) => stand.post('/verify', link)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401, 401]);
    assert.equal((await database.db.selectFrom('users').selectAll().execute()).length, 1);
  });

  test('of a concurrent registration and link of one address, one succeeds', async () => {
    const database = await open();
    const stand = await emailStand(database);
    const { token } = await stand.signUp({ method: 'google' });
    await stand.post('', { email: register.email, password: OTHER_PASSWORD }, token);
    const link = await stand.mailed('link');
    await stand.post('/register', register);
    const registration = await stand.mailed('verify');
    const answers = await Promise.all([
      stand.post('/verify', { token: registration, password: PASSWORD }),
      stand.post('/verify', { token: link, password: OTHER_PASSWORD }),
    ]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401]);
    assert.equal((await database.db.selectFrom('emails').selectAll().execute()).length, 1);
  });
});
