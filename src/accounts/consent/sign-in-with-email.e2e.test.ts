import assert from 'node:assert/strict';
import { test } from 'node:test';
import { form, pageDeps } from '#test/page-deps.ts';
import { signInWithEmail } from './sign-in-with-email.ts';

/** test/authorization-walk.e2e.test.ts covers real accounts. */

const handler = signInWithEmail(pageDeps({ email: {} }));
const typed = { email: '"><script>@', password: 'not this one' };

test('400: shows the page with the submitted values except the password', async () => {
  const reply = await handler(form('enter', typed));
  assert.equal(reply.status, 400);
  assert.match(`${reply.body}`, /value="&quot;&gt;&lt;script&gt;@"/);
  assert.doesNotMatch(`${reply.body}`, /not this one|<script>/);
  await assert.rejects(async () => handler(form('enter', typed, { accept: '*/*' })), {
    code: 'http.invalid',
    reason: 'input',
  });
});

test('403: rejects a cross-site form', async () => {
  for (const origin of ['https://evil.example', 'null'])
    assert.equal((await handler(form('enter', typed, { origin }))).status, 403);
  assert.equal((await handler(form('enter', typed, { cookie: '' }))).status, 403);
});
