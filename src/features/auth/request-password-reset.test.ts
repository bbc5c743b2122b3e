import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '../../../test/databases.ts';
import { emailStand } from '../../../test/email-stand.ts';

eachDatabase('POST /api/auth/email/reset/request', (open) => {
  test('202: one answer for all; a mail goes only to an address with an account', async () => {
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

  test('400: what is no address', async () => {
    const stand = await emailStand(await open());
    const { status, body } = await stand.post('/reset/request', { email: 'ada@localhost' });
    assert.deepEqual([status, body.code], [400, 'auth.email_malformed']);
  });
});
