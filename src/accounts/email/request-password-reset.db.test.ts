import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { emailStand, OTHER_PASSWORD, tokenIn } from '#test/email-stand.ts';

eachDatabase('POST /api/auth/email/reset/request', (open) => {
  test('202: the response is the same for unknown addresses, which get no email', async () => {
    const stand = await emailStand(await open());
    await stand.open('ada@example.org');
    const unknown = await stand.post('/reset/request', { email: 'eve@example.org' });
    assert.deepEqual([unknown.status, unknown.body], [202, { status: 'reset_sent' }]);
    assert.deepEqual(await stand.deliver(), []);
    const known = await stand.post('/reset/request', { email: 'Ada@example.org' });
    assert.deepEqual([known.status, known.body], [unknown.status, unknown.body]);
    const { to, text } = await stand.mail();
    assert.equal(to, 'ada@example.org');
    assert.match(text, /#reset=[\w-]{43}\n/);
  });

  test('202: of twelve requests, five send an email, and the owner can still sign in and reset', async () => {
    const stand = await emailStand(await open());
    await stand.open('ada@example.org');
    for (let times = 0; times < 12; times++)
      assert.equal((await stand.post('/reset/request', { email: 'ada@example.org' })).status, 202);
    const mails = await stand.deliver();
    assert.equal(mails.length, 5);
    assert.equal((await stand.login('ada@example.org')).status, 200);
    const token = tokenIn(mails[4] as (typeof mails)[number], 'reset');
    assert.equal((await stand.post('/reset', { token, password: OTHER_PASSWORD })).status, 200);
    assert.equal((await stand.login('ada@example.org', OTHER_PASSWORD)).status, 200);
  });

  test('400: the address is invalid', async () => {
    const stand = await emailStand(await open());
    const { status, body } = await stand.post('/reset/request', { email: 'ada@localhost' });
    assert.deepEqual([status, body.code, body.reason], [400, 'http.invalid', 'input']);
  });
});
