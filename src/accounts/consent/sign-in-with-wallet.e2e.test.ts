import assert from 'node:assert/strict';
import { test } from 'node:test';
import { form, pageDeps } from '#test/page-deps.ts';
import { signInWithWallet } from './sign-in-with-wallet.ts';

/** test/authorization-walk.e2e.test.ts covers real wallets. */

const proof = { challenge_id: 'x', signature: '0x' };
const handler = signInWithWallet(pageDeps());

test('401: reports an unknown challenge on the page, or as a problem to API clients', async () => {
  const reply = await handler(form('enter', proof));
  assert.equal(reply.status, 401);
  assert.match(`${reply.body}`, /Challenge not found/);
  await assert.rejects(async () => handler(form('enter', proof, { accept: '*/*' })), {
    code: 'auth.signature_invalid',
  });
});

test('403: rejects a cross-site form', async () => {
  assert.equal((await handler(form('decide|', proof))).status, 403);
});
