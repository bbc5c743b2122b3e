import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Mail } from '#core/mail/message.ts';
import { authorizationStand } from '#test/authorization-stand.ts';
import { oneDatabase } from '#test/databases.ts';
import { PASSWORD, tokenIn } from '#test/email-stand.ts';
import { form, pageDeps } from '#test/page-deps.ts';
import { registerOnPage } from './register.ts';

oneDatabase('POST /oauth/register/email', (open) => {
  test('202: asks to open the emailed link, which creates the account, and the page then signs in', async () => {
    const stand = await authorizationStand(await open());
    const visitor = await stand.visitor();
    const page = await visitor.open(stand.client.query());
    const typed = { email: 'ada@example.org', password: PASSWORD };
    const next = await visitor.follow(await visitor.submit(page, '/oauth/register/email', typed));
    assert.equal(next.status, 202);
    assert.match(next.html, /role="status"[^>]*>Open the link in the email.*Sent to ada@example\.org/);
    assert.doesNotMatch(next.html, /oauth\/register|correct horse/);
    const [letter] = await stand.deliver();
    const body = { token: tokenIn(letter as Mail, 'verify'), password: PASSWORD };
    assert.equal((await stand.ask('POST', '/api/auth/email/verify', { body })).status, 200);
    const consent = await visitor.withEmail(next, typed.email, PASSWORD);
    assert.ok((await visitor.decide(consent)).searchParams.get('code'));
  });
});

test('400: shows the page with the submitted values except the password', async () => {
  const handler = registerOnPage(pageDeps({ email: {} }));
  for (const typed of [
    { email: '"><script>@', password: 'long enough, this' },
    { email: 'ada@example.org', password: 'short' },
  ]) {
    const reply = await handler(form('enter', typed));
    assert.equal(reply.status, 400);
    assert.match(`${reply.body}`, /<details class="register" open>/);
    assert.doesNotMatch(`${reply.body}`, /<script>|long enough, this|"short"/);
    await assert.rejects(async () => handler(form('enter', typed, { accept: '*/*' })));
  }
});

test('403: rejects a cross-site form', async () => {
  const handler = registerOnPage(pageDeps({ email: {} }));
  const typed = { email: 'ada@example.org', password: PASSWORD };
  assert.equal((await handler(form('enter', typed, { origin: 'https://evil.example' }))).status, 403);
});
