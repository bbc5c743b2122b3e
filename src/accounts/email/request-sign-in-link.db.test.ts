import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { emailStand } from '#test/email-stand.ts';

eachDatabase('POST /api/auth/email/sign-in/request', (open) => {
  test('202: the response is always the same; only known addresses get emails, at most five an hour', async () => {
    const stand = await emailStand(await open());
    await stand.open('ada@example.org');
    const ask = (email: string) => stand.post('/sign-in/request', { email });
    const unknown = await ask('eve@example.org');
    assert.deepEqual([unknown.status, unknown.body], [202, { status: 'sign_in_sent' }]);
    assert.deepEqual(await stand.deliver(), []);
    for (let times = 0; times < 8; times++) {
      const { status, body } = await ask('ada@example.org');
      assert.deepEqual([status, body], [unknown.status, unknown.body]);
    }
    const mails = await stand.deliver();
    assert.equal(mails.length, 5);
    assert.match(mails[0]?.text ?? '', /#signin=[\w-]{43}\n/);
    // Frequent requests for one kind of email do not use up another.
    assert.equal((await stand.post('/reset/request', { email: 'ada@example.org' })).status, 202);
    assert.match((await stand.mail()).text, /#reset=/);
  });

  test('400: the address is invalid', async () => {
    const stand = await emailStand(await open());
    const { status, body } = await stand.post('/sign-in/request', { email: 'ada@localhost' });
    assert.deepEqual([status, body.code, body.reason], [400, 'http.invalid', 'input']);
  });
});
