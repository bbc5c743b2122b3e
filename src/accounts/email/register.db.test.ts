import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from '#core/log.ts';
import { processTimeOf } from '#test/cpu-time.ts';
import { eachDatabase } from '#test/databases.ts';
import { emailStand, OTHER_PASSWORD, PASSWORD } from '#test/email-stand.ts';

eachDatabase('POST /api/auth/email/register', (open) => {
  test('202: known and unknown addresses get the same response, and different emails', async () => {
    const stand = await emailStand(await open());
    await stand.open('ada@example.org');
    const known = await stand.post('/register', { email: 'ADA@Example.org', password: OTHER_PASSWORD });
    const toKnown = await stand.mail();
    const unknown = await stand.post('/register', { email: 'eve@example.org', password: OTHER_PASSWORD });
    const toUnknown = await stand.mail();
    assert.deepEqual([known.status, known.body], [202, { status: 'verification_sent' }]);
    assert.deepEqual([unknown.status, unknown.body], [known.status, known.body]);
    const names = (headers: Headers) => [...headers.keys()].sort();
    assert.deepEqual(names(unknown.headers), names(known.headers));
    assert.deepEqual([toKnown.to, toUnknown.to], ['ada@example.org', 'eve@example.org']);
    assert.match(toKnown.subject, /already/);
    assert.doesNotMatch(toKnown.text, /#/);
    assert.equal((await stand.login('ada@example.org')).status, 200, 'the password of the account stays');
  });

  test('202: creates no account before the link is opened, and does not store the token', async () => {
    const { db, ...database } = await open();
    const stand = await emailStand({ db, ...database });
    await stand.post('/register', { email: 'ada@example.org', password: PASSWORD });
    const jobs = await db.selectFrom('jobs').selectAll().execute();
    const token = await stand.mailed('verify');
    const tokens = await db.selectFrom('email_tokens').selectAll().execute();
    const stored = JSON.stringify([jobs, tokens]);
    assert.equal(jobs.length, 1);
    for (const secret of [token, PASSWORD]) assert.ok(!stored.includes(secret));
    assert.doesNotMatch(JSON.stringify(jobs), /ada@example/);
    for (const table of ['users', 'emails'] as const)
      assert.deepEqual(await db.selectFrom(table).selectAll().execute(), []);
    assert.equal((await stand.login('ada@example.org')).status, 401, 'verification comes before login');
  });

  test('202: the email contains no text from the request', async () => {
    const stand = await emailStand(await open());
    const display_name = '<b>Win</b> a prize at evil.example';
    await stand.post('/register', { email: 'ada@example.org', password: PASSWORD, display_name });
    const { subject, text } = await stand.mail();
    assert.doesNotMatch(subject + text, /Win|evil|<|>/);
    assert.match(text, /^[\n\x20-\x7e]+$/);
  });

  test('400: names the field of an invalid address, a weak or huge password, or a bad display name', async () => {
    const stand = await emailStand(await open());
    const bad = [
      [{ email: 'аda@example.org', password: PASSWORD }, 'http.invalid', '/email'],
      [{ email: 'ada@example.org\r\nBcc: eve@example.org', password: PASSWORD }, 'http.invalid', '/email'],
      [{ email: 'ada@example.org', password: '12345678' }, 'http.invalid', '/password'],
      [{ email: 'ada@example.org', password: 'ada@example.org' }, 'http.invalid', '/password'],
      [{ email: 'ada@example.org', password: 'short' }, 'http.invalid', '/password'],
      [{ email: 'ada@example.org', password: 'x!'.repeat(129) }, 'http.invalid', '/password'],
      [{ email: 'ada@example.org', password: 'x!'.repeat(250_000) }, 'http.invalid', '/password'],
      [{ email: 'ada@example.org', password: PASSWORD, display_name: 'a\u202Eb' }, 'http.invalid', '/display_name'],
    ] as const;
    const askAll = async () => {
      for (const [asked, code, pointer] of bad) {
        const { status, body } = await stand.post('/register', asked);
        assert.deepEqual(
          [status, body.code, (body as { errors?: { pointer: string }[] }).errors?.[0]?.pointer],
          [400, code, pointer],
        );
      }
    };
    // To hash a password of half a megabyte, or only one more for each of these, would take longer.
    assert.ok((await processTimeOf(askAll, 2_000)) < 2_000);
    assert.deepEqual(await stand.deliver(), []);
  });

  test('429: an address gets five registration emails an hour, known or unknown; resets are counted separately', async () => {
    const stand = await emailStand(await open());
    await stand.open('ada@example.org');
    for (const [email, already] of [
      ['ada@example.org', 1],
      ['eve@example.org', 0],
    ] as const) {
      for (let mails = already; mails < 5; mails++)
        assert.equal((await stand.post('/register', { email, password: PASSWORD })).status, 202);
      const { status, body, headers } = await stand.post('/register', { email, password: PASSWORD });
      assert.deepEqual([status, body.code, body.reason], [429, 'http.limit_exceeded', 'rate']);
      assert.ok(Number(headers.get('retry-after')) > 60);
      assert.equal((await stand.post('/reset/request', { email })).status, 202);
    }
  });

  test('no password or token is logged', async () => {
    const lines: string[] = [];
    const log = createLog('trace', { write: (line: string) => void lines.push(line) });
    const stand = await emailStand(await open(), log);
    await stand.post('/register', { email: 'ada@example.org', password: PASSWORD });
    const token = await stand.mailed('verify');
    await stand.post('/verify', { token, password: OTHER_PASSWORD });
    await stand.post('/verify', { token, password: PASSWORD });
    await stand.login('ada@example.org', OTHER_PASSWORD);
    for (const secret of [token, PASSWORD, OTHER_PASSWORD]) assert.ok(!lines.join('').includes(secret));
  });
});
