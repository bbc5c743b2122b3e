import assert from 'node:assert/strict';
import { test } from 'node:test';
import { form, PAGES_URL, pageDeps } from '#test/page-deps.ts';
import { leavePage } from './sign-out.ts';

/** decide.db.test.ts covers the end of the session. */

const handler = leavePage(pageDeps());

test('303: deletes the cookie and returns to the authorization request', async () => {
  const reply = await handler(form('decide|'));
  assert.equal(reply.status, 303);
  assert.ok(reply.headers?.location?.startsWith(`${PAGES_URL}/oauth/authorize?response_type=code&client_id=`));
  assert.match(reply.headers?.['set-cookie'] ?? '', /^__Host-capstan-token=; Path=\/; Max-Age=0;/);
});

test('403: rejects a cross-site form and one of another page', async () => {
  assert.equal((await handler(form('decide|', {}, { origin: 'https://evil.example' }))).status, 403);
  assert.equal((await handler(form('enter'))).status, 403);
});
