import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { emailStand, OTHER_PASSWORD } from '#test/email-stand.ts';

const ADA = 'ada@example.org';

eachDatabase('signing in with an emailed link', (open) => {
  test('200: the link signs in once, also while wrong passwords cause 429', async () => {
    const stand = await emailStand(await open());
    await stand.open(ADA);
    for (let times = 0; times < 12; times++) await stand.login(ADA, OTHER_PASSWORD);
    assert.equal((await stand.login(ADA)).status, 429);
    assert.equal((await stand.post('/sign-in/request', { email: ADA })).status, 202);
    const token = await stand.mailed('signin');
    const signedIn = await stand.post('/sign-in', { token, remember_device: true });
    assert.equal(signedIn.status, 200);
    const { access_token, device_token } = signedIn.body as unknown as Record<string, string>;
    assert.equal((await stand.ask('GET', '/api/auth/session', { token: access_token ?? '' })).status, 200);
    const again = await stand.post('/sign-in', { token });
    assert.deepEqual([again.status, again.body.code, again.body.reason], [401, 'auth.email_link_invalid', 'used']);
    // The browser that opened it is a known device from now on.
    assert.equal(
      (await stand.post('/login', { email: ADA, password: 'correct horse battery', device_token })).status,
      200,
    );
  });

  test('401: an unknown, expired or other kind of link', async () => {
    const stand = await emailStand(await open());
    await stand.open(ADA);
    await stand.post('/reset/request', { email: ADA });
    const reset = await stand.mailed('reset');
    for (const token of [reset, 'x'])
      assert.equal((await stand.post('/sign-in', { token })).body.code, 'auth.email_link_invalid');
    await stand.post('/sign-in/request', { email: ADA });
    const token = await stand.mailed('signin');
    assert.equal(
      (await stand.post('/reset', { token, password: OTHER_PASSWORD })).body.code,
      'auth.email_link_invalid',
    );
    stand.clock.ms += 3_600_000;
    assert.equal((await stand.post('/sign-in', { token })).body.code, 'auth.email_link_invalid');
  });
});
