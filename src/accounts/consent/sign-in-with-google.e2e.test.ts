import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountsProblem } from '#accounts/errors.ts';
import { form, pageDeps } from '#test/page-deps.ts';
import { signInWithGoogle } from './sign-in-with-google.ts';

/** src/accounts/google/finish.e2e.test.ts covers the whole flow with a real provider. */

async function authorizationUrl() {
  throw accountsProblem('auth.google_unavailable', 'It is not set up here.');
}
const handler = signInWithGoogle(
  pageDeps({ google: { issuer: { authorizationUrl }, base_url: 'https://capstan.example' } }),
);

test('503: says that Google sign-in is not configured, and does not offer it', async () => {
  const reply = await handler(form('enter'));
  assert.equal(reply.status, 503);
  assert.match(`${reply.body}`, /It is not set up here\./);
  assert.doesNotMatch(`${reply.body}`, /Continue with Google/);
});

test('403: rejects a cross-site form', async () => {
  assert.equal((await handler(form('enter', { seal: 'x' }))).status, 403);
  assert.equal((await handler(form('enter', {}, { origin: 'https://evil.example' }))).status, 403);
});
